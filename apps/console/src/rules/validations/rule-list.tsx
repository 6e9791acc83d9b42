import { Button, Table } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { ruleText } from '@constancia/rule-graph';
import { contentOf } from '../model/edited-rule.ts';
import { countOf, problemsByRule } from '../model/problems.ts';
import { type StoredRule, useTemplates } from '../model/use-rules.ts';
import { ProblemCount } from '../parts/validation-state.tsx';
import { useRuleText } from '../text/language.ts';
import { RemoveRuleDialog } from './validation-dialogs.tsx';

/** The rules in the order of evaluation, with their outcome, their legal basis and what the linter found. */
export function RuleList({ rules, editable }: { rules: StoredRule[]; editable: boolean }) {
  const { words, number, ofBoth, locale } = useRuleText();
  const templates = useTemplates().data?.data;
  const [removing, setRemoving] = useState<StoredRule | null>(null);
  const problems = useMemo(() => problemsByRule(rules.map(contentOf)), [rules]);
  const basisOf = (code: string): string => {
    const template = templates?.find((each) => each.code === code);
    return template === undefined ? '' : ofBoth(template.legal_basis);
  };
  if (rules.length === 0) return <div className="empty">{words.noRules}</div>;
  return (
    <>
      <Table
        caption={words.rules}
        rows={rules}
        keyOf={({ id }) => id}
        columns={[
          {
            title: words.rule,
            of: ({ id: ruleId, validation_id: id, code, description }) => (
              <div>
                <Link to="/rules/$id/rule/$ruleId" params={{ id, ruleId }}>
                  {code}
                </Link>
                <div className="help">{ruleText(code, description ?? '', locale)}</div>
              </div>
            ),
          },
          {
            title: words.outcome,
            of: ({ severity, score }) => `${words.decisions[severity]}, ${words.points(number(score))}`,
          },
          { title: words.subject, of: ({ subject_type }) => words.subjects[subject_type] },
          { title: words.legalBasis, of: ({ code }) => <small>{basisOf(code) || '–'}</small> },
          {
            title: words.check,
            of: ({ code }) => <ProblemCount of={countOf(problems.get(code))} />,
          },
          ...(editable
            ? [
                {
                  title: words.actions,
                  of: (rule: StoredRule) => (
                    <Button look="quiet" label={words.removeRule(rule.code)} onPress={() => setRemoving(rule)}>
                      {words.remove}
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {removing !== null && <RemoveRuleDialog of={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}
