import type { components } from '@constancia/sdk/generated/compliance';
import { Facts, State } from '@constancia/web';
import { useMatchText } from './text/language.ts';

/** A match as it is listed. */
interface Listed {
  list: components['schemas']['ListCode'];
  entry_id: string;
  name: string;
  score: number;
  /** Where the payload names the party that was compared; absent or null for the subject. */
  party?: string | null;
}

type Detail = components['schemas']['HitView'];

type Verdict = 'same' | 'same_day' | 'same_year' | 'close' | 'different' | 'unknown';

interface Compared {
  verdict: Verdict;
  query: string | string[] | null;
  entry: string | string[] | null;
}

/** What GET /v1/screenings/{id} says of a hit: libs/name-screening, Evidence. */
interface Evidence {
  name: { score: number; tokens: { query: string | null; entry: string | null; similarity: number }[] };
  birth_date: Compared;
  country: Compared;
  identifier: Compared;
  capped_by: string | null;
}

const VERDICT_KINDS = {
  same: 'bad',
  same_day: 'bad',
  same_year: 'wait',
  close: 'wait',
  different: 'good',
  unknown: 'wait',
} as const;

interface HitsProps {
  hits: readonly Listed[];
  /** The same with what was compared; a match that is missing here is shown without it. */
  compared: readonly Detail[];
}

/** Each match, the subject beside the entry of the list, word by word. */
export function Hits({ hits, compared }: HitsProps) {
  return hits.map((hit) => {
    const detail = compared.find(
      ({ list, entry_id, party }) =>
        list === hit.list && entry_id === hit.entry_id && (party ?? null) === (hit.party ?? null),
    );
    return <Hit key={`${hit.list} ${hit.entry_id} ${hit.party ?? ''}`} hit={hit} detail={detail} />;
  });
}

interface HitProps {
  hit: Listed;
  detail: Detail | undefined;
}

function Hit({ hit, detail }: HitProps) {
  const { words, locale } = useMatchText();
  const percent = (share: number): string =>
    new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share);
  const evidence = detail?.evidence as Evidence | undefined;
  const capped = words.capped[evidence?.capped_by as keyof typeof words.capped];
  const role = detail?.role;
  return (
    <article className="card hit">
      <h3>
        {hit.name} <small>{words.lists[hit.list]}</small>
      </h3>
      <p>
        {words.score(percent(hit.score))}. {capped}
      </p>
      {hit.party && <p className="help">{words.party(hit.party)}</p>}
      {evidence !== undefined && (
        <>
          <h4>{words.words}</h4>
          <ul className="tokens">
            {evidence.name.tokens.map(({ query, entry, similarity }, index) => (
              <li key={index} className={similarity >= 0.999 ? 'same' : similarity > 0 ? 'similar' : 'other'}>
                <span>{query ?? words.missing}</span>
                <span>{entry ?? words.missing}</span>
                <small>{words.similar(percent(similarity))}</small>
              </li>
            ))}
          </ul>
          <Facts
            pairs={[
              [words.birth, <Comparison of={evidence.birth_date} />],
              [words.country, <Comparison of={evidence.country} />],
              [words.document, <Comparison of={evidence.identifier} />],
              ...(detail !== undefined && detail.programmes.length > 0
                ? [[words.programmes, detail.programmes.join(', ')] as const]
                : []),
              ...(role ? [[words.role, [role.title, role.until].filter(Boolean).join(', ')] as const] : []),
            ]}
          />
        </>
      )}
    </article>
  );
}

/** Both sides of one fact, and whether they agree. */
function Comparison({ of: { verdict, query, entry } }: { of: Compared }) {
  const { words } = useMatchText();
  const shown = (value: Compared['query']): string => [value ?? []].flat().join(', ') || '–';
  return (
    <span>
      {shown(query)} ↔ {shown(entry)} <State kind={VERDICT_KINDS[verdict]}>{words.verdicts[verdict]}</State>
    </span>
  );
}
