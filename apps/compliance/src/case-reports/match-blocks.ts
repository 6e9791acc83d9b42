import type { Block } from '@constancia/pdf-sealing';
import { ruleText } from '@constancia/rule-graph';
import type { CaseDossierView } from '../case-dossiers/case-dossier-view.ts';
import type { CaseHitView } from '../cases/case-detail-view.ts';
import type { HitView } from '../screenings/screening-view.ts';
import { BOLD, clipped, labelled, paragraphs, SOFT, together } from './report-blocks.ts';
import type { Wording } from './report-facts.ts';

/** Of one case; the others are in the API's answer. */
const MOST_HITS = 100;

/** Each match with what was compared, and what it comes to. */
export function hitBlocks({ hits, screening }: CaseDossierView, width: number, wording: Wording): Block[] {
  const { texts } = wording;
  if (hits.length === 0) return paragraphs(texts.noHits, width);
  const shown = hits.slice(0, MOST_HITS).flatMap((hit) => hitBlock(hit, comparedIn(screening?.hits ?? [], hit), width, wording)); // prettier-ignore
  const rest = hits.length - MOST_HITS;
  return rest > 0 ? [...shown, ...paragraphs(texts.more(rest), width)] : shown;
}

function comparedIn(compared: readonly HitView[], { list, entry_id, party }: CaseHitView): HitView | undefined {
  return compared.find((one) => one.list === list && one.entry_id === entry_id && one.party === (party ?? null));
}

function hitBlock(hit: CaseHitView, compared: HitView | undefined, width: number, wording: Wording): Block[] {
  const { texts, percent } = wording;
  const { name, list, entry_id, score, party } = hit;
  const lines = [
    ...paragraphs(`${clipped(name)} · ${texts.lists[list]} ${entry_id} · ${texts.score(percent(score))}`, width, BOLD),
    ...(party === undefined ? [] : paragraphs(texts.party(party), width, SOFT)),
  ];
  if (compared === undefined) return together(lines);
  const { evidence, programmes, role } = compared;
  const tokens = evidence.name.tokens.map(
    ({ query, entry, similarity }) => `${query ?? texts.missing} = ${entry ?? texts.missing} (${percent(similarity)})`,
  );
  const sides = ({ verdict, query, entry }: Compared) =>
    `${[query ?? '–'].flat().join(', ') || '–'} / ${[entry ?? '–'].flat().join(', ') || '–'}: ${texts.verdicts[verdict]}`;
  return together([
    ...lines,
    labelled(texts.words, tokens.join('; '), width),
    labelled(texts.birth, sides(evidence.birth_date), width),
    labelled(texts.country, sides(evidence.country), width),
    labelled(texts.document, sides(evidence.identifier), width),
    ...(programmes.length === 0 ? [] : [labelled(texts.programmes, programmes.join(', '), width)]),
    ...(role === null ? [] : [labelled(texts.role, [role.title, role.until].filter(Boolean).join(', '), width)]),
  ]);
}

type Evidence = HitView['evidence'];
type Compared = Evidence['birth_date'] | Evidence['country'] | Evidence['identifier'];

/** Each rule as the validation had it, with what it rests on; of one that no version has any more its code. */
export function ruleBlocks({ rules, rules_fired }: CaseDossierView, width: number, wording: Wording): Block[] {
  const { texts, language } = wording;
  const known = new Set(rules.map(({ code }) => code));
  const others = rules_fired.filter((code) => !known.has(code));
  if (rules_fired.length === 0) return paragraphs(texts.noRules, width);
  const blocks = rules.flatMap(({ code, severity, score, description, legal_basis: basis }) =>
    together([
      ...paragraphs(`${code} · ${texts.severities[severity]} · ${texts.points(score)}`, width, BOLD),
      ...(description === null ? [] : paragraphs(ruleText(code, description, language), width)),
      ...(basis === null ? [] : paragraphs(`${texts.legalBasis}: ${language === 'en' ? basis.en : basis.es}`, width)),
    ]),
  );
  return others.length === 0 ? blocks : [...blocks, ...paragraphs(others.join(', '), width, BOLD)];
}
