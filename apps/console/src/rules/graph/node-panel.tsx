import { Button } from '@constancia/web';
import { useMemo } from 'react';
import { ConditionValue, OutcomeDetails, OutcomeField, QuestionField } from '../fields/node-fields.tsx';
import { TargetsField } from '../fields/targets-field.tsx';
import type { RuleNode } from '../model/edited-rule.ts';
import type { Problems } from '../model/problems.ts';
import { changeNode, orderOf } from '../model/rule-edits.ts';
import type { Editing } from '../model/use-edited-rule.ts';
import { ProblemList } from '../parts/validation-state.tsx';
import { useRuleText } from '../text/language.ts';

interface NodePanelProps {
  editing: Editing;
  problems: Problems;
  disabled: boolean;
  node: RuleNode;
  /** Back to the node in the graph. */
  onLeave: () => void;
}

/** Everything of one node, for editing. Escape goes back to the graph. */
export function NodePanel({ editing, problems, disabled, node, onLeave }: NodePanelProps) {
  const { words } = useRuleText();
  const { rule, changeDefinition } = editing;
  const { definition } = rule;
  const order = useMemo(() => orderOf(definition), [definition]);
  const onNode = (changed: RuleNode, tag: string): void => changeDefinition(changeNode(definition, changed), tag);
  const common = { onNode, disabled };
  return (
    <div
      key={node.id}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onLeave();
      }}
    >
      <h3>{node.id}</h3>
      <ProblemList of={problems.ofNode.get(node.id)} />
      {node.type === 'condition' ? (
        <>
          <QuestionField node={node} {...common} />
          <ConditionValue node={node} {...common} />
          {[true, false].map((when) => (
            <TargetsField
              key={String(when)}
              {...{ definition, order, when, disabled }}
              from={node.id}
              onDefinition={changeDefinition}
            />
          ))}
        </>
      ) : (
        <>
          <OutcomeField node={node} rule={rule} {...common} />
          <OutcomeDetails node={node} rule={rule} {...common} />
        </>
      )}
      <Button look="quiet" onPress={onLeave}>
        {words.graph.close}
      </Button>
    </div>
  );
}
