import { ruleText } from '@constancia/rule-graph';
import type { components } from '@constancia/sdk/generated/compliance';
import { DecisionState } from '../../matches/decision-state.tsx';
import { useSentences } from '../parts/sentences.ts';
import { useRuleText } from '../text/language.ts';

export type Result = components['schemas']['DryRunView'];

/** What a screening would decide, and why. */
export function TrialResult({ of: { decision, score, findings, data_gaps: gaps, hits } }: { of: Result }) {
  const { words, number, percent, locale } = useRuleText();
  const { choiceOf } = useSentences();
  return (
    <section className="card">
      <h2>
        {words.trial.result}: <DecisionState of={decision} />
      </h2>
      <p>{words.trial.score(number(score))}</p>
      <h3>{words.trial.findings}</h3>
      {findings.length === 0 && <p>{words.trial.noFindings}</p>}
      <ul className="links">
        {findings.map(({ rule_code, node_id, reason, decision: decides, score: adds }) => (
          <li key={`${rule_code} ${node_id}`}>
            <strong>{rule_code}</strong> {words.decisions[decides]}, {words.points(number(adds))}.{' '}
            {ruleText(rule_code, reason, locale)}
          </li>
        ))}
      </ul>
      {hits.length > 0 && (
        <>
          <h3>{words.trial.hits}</h3>
          <ul className="links">
            {hits.map(({ list, entry_id, name, score: likeness }) => (
              <li key={`${list} ${entry_id}`}>
                {name} <small>{choiceOf(list)}</small> {percent(likeness)}
              </li>
            ))}
          </ul>
        </>
      )}
      {gaps.length > 0 && (
        <>
          <h3>{words.trial.gaps}</h3>
          <ul className="links">
            {gaps.map(({ field, kind }) => (
              <li key={`${field} ${kind}`}>
                <code>{field}</code> {words.trial.gapKinds[kind]}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
