import { DECISIONS, type RuleDefinition } from '@constancia/rule-graph';
import { Labelled } from '../fields/labelled.tsx';
import { TypedEntry } from '../fields/typed-entry.tsx';
import type { EditedRule } from '../model/edited-rule.ts';
import type { Problems } from '../model/problems.ts';
import { isSameRule, type Member } from '../model/rule-diff.ts';
import { type Template, useTemplates } from '../model/use-rules.ts';
import type { Editing } from '../model/use-edited-rule.ts';
import { useRuleText } from '../text/language.ts';

interface RuleFactsProps {
  editing: Editing;
  problems: Problems;
  disabled: boolean;
}

/** What a rule has besides its conditions: its code, what it decides, for whom, and its legal basis. */
export function RuleFacts({ editing: { rule, change }, problems, disabled }: RuleFactsProps) {
  const { words, ofBoth, problemText } = useRuleText();
  const template = useTemplates().data?.data.find(({ code }) => code === rule.code);
  const set = (name: Member, value: unknown): void => change({ ...rule, [name]: value } as EditedRule, name);
  const of = (name: Member) => ({
    disabled,
    fault: problems.ofMember.get(name)?.map(problemText).join(' '),
    value: rule[name],
    onValue: (value: unknown) => set(name, value ?? (name === 'description' ? null : '')),
  });
  return (
    <section className="card">
      <h2>{words.editor.facts}</h2>
      <div className="rule-facts">
        <TypedEntry kind="text" label={words.code} hint={words.editor.ruleCodeHint} {...of('code')} />
        <Choice
          label={words.editor.severity}
          hint={words.editor.severityHint}
          disabled={disabled}
          value={rule.severity}
          options={DECISIONS.map((decision) => [decision, words.decisions[decision]])}
          onValue={(value) => set('severity', value)}
        />
        <TypedEntry kind="number" label={words.editor.score} {...of('score')} />
        <Choice
          label={words.subject}
          disabled={disabled}
          value={rule.subject_type}
          options={Object.entries(words.subjects)}
          onValue={(value) => set('subject_type', value)}
        />
        <TypedEntry kind="number" label={words.editor.position} {...of('position')} />
      </div>
      <TypedEntry
        kind="text"
        label={words.description}
        hint={describesTheDefault(rule, template) ? words.editor.descriptionHint : undefined}
        lines={2}
        {...of('description')}
      />
      <p className="help">
        {words.legalBasis}: {template === undefined ? words.ownRule : ofBoth(template.legal_basis)}
      </p>
    </section>
  );
}

/** Whether the description is still that of the default rule, whose conditions were changed. */
function describesTheDefault(rule: EditedRule, template: Template | undefined): boolean {
  if (template === undefined || rule.description === null) return false;
  const { es, en } = template.description;
  return (
    [es, en].includes(rule.description) &&
    !isSameRule(rule, { ...rule, definition: template.definition as RuleDefinition })
  );
}

interface ChoiceProps {
  label: string;
  hint?: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
  onValue: (value: string) => void;
  disabled: boolean;
}

function Choice({ label, hint, value, options, onValue, disabled }: ChoiceProps) {
  return (
    <Labelled label={label} hint={hint}>
      {(wiring) => (
        <select {...wiring} value={value} disabled={disabled} onChange={(event) => onValue(event.target.value)}>
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
