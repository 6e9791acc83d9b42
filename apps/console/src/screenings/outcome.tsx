import type { components } from '@constancia/sdk/generated/compliance';
import { Facts, type Locale } from '@constancia/web';
import { type FiredRule, FiredRules } from '../matches/fired-rules.tsx';
import { Hits } from '../matches/hits.tsx';
import { ruleText } from '@constancia/rule-graph';
import { useRecord } from '../member/queries.ts';
import { useScreeningText } from './text/language.ts';

type Schemas = components['schemas'];
/** What a screening and a dry run find alike. */
type Found = Pick<Schemas['DryRunView'], 'findings' | 'hits' | 'near_misses' | 'data_gaps' | 'list_versions'>;

/** What was found: each match, the rules that fired, and what could not be judged. */
export function Outcome({ of: { findings, hits, near_misses: near, data_gaps: gaps, list_versions } }: { of: Found }) {
  const { words, percent, locale } = useScreeningText();
  const templates = useRecord(['rule-templates'], ({ compliance }) => compliance.GET('/v1/templates')).data?.data ?? [];
  return (
    <>
      <h2>{words.hits}</h2>
      {hits.length === 0 && <p>{words.noHits}</p>}
      <Hits hits={hits} compared={hits} />
      <FiredRules rules={firedRules(findings, templates, locale)} />
      {near.length > 0 && (
        <details>
          <summary>{words.nearMisses(near.length)}</summary>
          <ul className="links">
            {near.map(({ list, entry_id, party, name, score }) => (
              <li key={`${list} ${entry_id} ${party ?? ''}`}>
                {name} <small>{words.lists[list]}</small> {percent(score)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {gaps.length > 0 && (
        <details>
          <summary>{words.gaps(gaps.length)}</summary>
          <ul className="links">
            {gaps.map(({ field, kind }, nth) => (
              <li key={nth}>
                <code>{field}</code> {words.gapKinds[kind]}
              </li>
            ))}
          </ul>
        </details>
      )}
      <details>
        <summary>{words.listVersions}</summary>
        <Facts
          pairs={Object.entries(list_versions as Record<string, string>).map(([list, version]) => [
            words.lists[list as keyof typeof words.lists] ?? list,
            version,
          ])}
        />
      </details>
    </>
  );
}

/** One for each rule, in the order of the findings, with the legal basis of the catalogue's rule of that code. */
function firedRules(
  findings: Found['findings'],
  templates: readonly Schemas['RuleTemplateView'][],
  locale: Locale,
): FiredRule[] {
  const codes = [...new Set(findings.map(({ rule_code }) => rule_code))];
  return codes.map((code) => {
    const own = findings.filter(({ rule_code }) => rule_code === code);
    const severity = (['reject', 'review', 'approve'] as const).find((one) =>
      own.some(({ decision }) => decision === one),
    );
    return {
      code,
      severity: severity ?? 'approve',
      description: [...new Set(own.map(({ reason }) => ruleText(code, reason, locale)))].join(' '),
      legal_basis: templates.find((template) => template.code === code)?.legal_basis ?? null,
    };
  });
}
