import { ruleText } from '@constancia/rule-graph';
import type { components } from '@constancia/sdk/generated/compliance';
import { DecisionState } from './decision-state.tsx';
import { useMatchText } from './text/language.ts';

export type FiredRule = Pick<
  components['schemas']['FiredRuleView'],
  'code' | 'severity' | 'description' | 'legal_basis'
>;

/** The rules that fired, with what they rest on; nothing when none did. */
export function FiredRules({ rules }: { rules: readonly FiredRule[] }) {
  const { words, locale } = useMatchText();
  if (rules.length === 0) return null;
  return (
    <>
      <h2>{words.rules}</h2>
      <ul className="rules">
        {rules.map(({ code, severity, description, legal_basis: basis }) => (
          <li key={code} className="card">
            <strong>{code}</strong> <DecisionState of={severity} />
            {description !== null && <p>{ruleText(code, description, locale)}</p>}
            {basis !== null && (
              <p className="help">
                {words.legalBasis}: {locale === 'en' ? basis.en : basis.es}
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
