import { DECISIONS } from '@constancia/rule-graph';
import type { ActionNode, ConditionNode, EditedRule, RuleNode } from '../model/edited-rule.ts';
import { carriedValue, predicateNamed, PREDICATES } from '../model/predicates.ts';
import { useRuleText } from '../text/language.ts';
import { Labelled } from './labelled.tsx';
import { TypedEntry } from './typed-entry.tsx';
import { ValueField } from './value-field.tsx';

interface NodeFieldProps<Node extends RuleNode> {
  node: Node;
  onNode: (node: RuleNode, tag: string) => void;
  bare?: boolean;
  disabled?: boolean;
}

/** By which the first control of a node is found, to give it the focus. */
export const fieldId = (id: string): string => `field-${id}`;

/** Which question is asked. */
export function QuestionField({ node, onNode, bare, disabled }: NodeFieldProps<ConditionNode>) {
  const { words, ofBoth } = useRuleText();
  const choose = (predicate: string): void => {
    const value = carriedValue(node.value, node.predicate, predicate);
    const { id, type } = node;
    onNode({ id, type, predicate, ...(value !== undefined && { value }) }, `${id} predicate`);
  };
  return (
    <Labelled
      label={bare === true ? `${node.id}, ${words.editor.condition}` : words.editor.condition}
      bare={bare}
      id={fieldId(node.id)}
    >
      {(wiring) => (
        <select {...wiring} value={node.predicate} disabled={disabled} onChange={(event) => choose(event.target.value)}>
          {predicateNamed(node.predicate) === undefined && <option value={node.predicate}>{node.predicate}</option>}
          {PREDICATES.map(({ name, title }) => (
            <option key={name} value={name}>
              {ofBoth(title)}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** What it asks for. */
export function ConditionValue({ node, onNode, bare, disabled }: NodeFieldProps<ConditionNode>) {
  const { words } = useRuleText();
  const form = predicateNamed(node.predicate)?.form ?? { kind: 'text' };
  return (
    <ValueField
      key={node.predicate}
      form={form}
      label={bare === true ? `${node.id}, ${words.editor.value}` : words.editor.value}
      bare={bare}
      disabled={disabled}
      value={node.value}
      onValue={(value) => {
        const { value: _, ...rest } = node;
        onNode(value === undefined ? rest : { ...rest, value }, `${node.id} value`);
      }}
    />
  );
}

/** What is decided. */
export function OutcomeField({
  node,
  onNode,
  bare,
  disabled,
  rule,
}: NodeFieldProps<ActionNode> & { rule: EditedRule }) {
  const { words } = useRuleText();
  return (
    <Labelled
      label={bare === true ? `${node.id}, ${words.editor.action}` : words.editor.action}
      bare={bare}
      id={fieldId(node.id)}
    >
      {(wiring) => (
        <select
          {...wiring}
          value={node.decision ?? ''}
          disabled={disabled}
          onChange={(event) => {
            const { decision: _, ...rest } = node;
            const decision = DECISIONS.find((each) => each === event.target.value);
            onNode({ ...rest, ...(decision !== undefined && { decision }) }, `${node.id} decision`);
          }}
        >
          <option value="">{words.editor.ruleDecision(words.decisions[rule.severity])}</option>
          {DECISIONS.map((decision) => (
            <option key={decision} value={decision}>
              {words.decisions[decision]}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

/** How much it adds, and the reason that a case shows. */
export function OutcomeDetails({ node, onNode, disabled, rule }: NodeFieldProps<ActionNode> & { rule: EditedRule }) {
  const { words, number } = useRuleText();
  const withPart = (name: 'score' | 'reason', value: unknown): void => {
    const { [name]: _, ...rest } = node;
    onNode((value === undefined ? rest : { ...rest, [name]: value }) as ActionNode, `${node.id} ${name}`);
  };
  return (
    <>
      <TypedEntry
        kind="number"
        label={words.editor.score}
        placeholder={words.editor.ruleScore(number(rule.score))}
        disabled={disabled}
        value={node.score}
        onValue={(value) => withPart('score', value)}
      />
      <TypedEntry
        kind="text"
        label={words.editor.reason}
        hint={words.editor.reasonHint}
        disabled={disabled}
        value={node.reason}
        onValue={(value) => withPart('reason', value)}
      />
    </>
  );
}
