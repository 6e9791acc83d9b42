import { Button, Table, useAnnounce } from '@constancia/web';
import { useEffect, useMemo, useState } from 'react';
import { NodeActions } from '../fields/node-actions.tsx';
import { ConditionValue, fieldId, OutcomeDetails, OutcomeField, QuestionField } from '../fields/node-fields.tsx';
import { TargetsField } from '../fields/targets-field.tsx';
import type { RuleNode } from '../model/edited-rule.ts';
import type { Problems } from '../model/problems.ts';
import { addAlone, changeNode, orderOf } from '../model/rule-edits.ts';
import type { Editing } from '../model/use-edited-rule.ts';
import { ProblemList } from '../parts/validation-state.tsx';
import { useRuleText } from '../text/language.ts';
import type { RemoveNode } from './node-removal.tsx';

interface RuleTableProps {
  editing: Editing;
  problems: Problems;
  disabled: boolean;
  remove: RemoveNode;
}

/** The rule as a table: a row for each question and outcome, in the order in which they are reached. */
export function RuleTable({ editing: { rule, changeDefinition }, problems, disabled, remove }: RuleTableProps) {
  const { words } = useRuleText();
  const announce = useAnnounce();
  const [goTo, setGoTo] = useState<string | null>(null);
  const { definition } = rule;
  const order = useMemo(() => orderOf(definition), [definition]);
  useEffect(() => {
    if (goTo !== null) document.getElementById(goTo)?.focus();
    setGoTo(null);
  }, [goTo]);
  const onNode = (node: RuleNode, tag: string): void => changeDefinition(changeNode(definition, node), tag);
  const add = (type: RuleNode['type']): void => {
    const added = addAlone(definition, type);
    changeDefinition(added.definition);
    setGoTo(fieldId(added.id));
    announce(words.editor.added(added.id));
  };
  const common = { onNode, disabled, bare: true } as const;
  const targets = (node: RuleNode, when: boolean) =>
    node.type === 'condition' ? (
      <TargetsField {...{ definition, order, when, disabled }} bare from={node.id} onDefinition={changeDefinition} />
    ) : (
      ''
    );
  return (
    <div className="rule-table">
      <p className="help">{words.editor.tableHint}</p>
      <Table
        caption={words.editor.conditions}
        rows={order}
        keyOf={({ id }) => id}
        columns={[
          { title: words.editor.node, of: ({ id }) => <strong>{id}</strong> },
          {
            title: words.editor.condition,
            of: (node) => (
              <div>
                {node.type === 'condition' ? (
                  <QuestionField node={node} {...common} />
                ) : (
                  <OutcomeField node={node} rule={rule} {...common} />
                )}
                <ProblemList of={problems.ofNode.get(node.id)} />
              </div>
            ),
          },
          {
            title: words.editor.value,
            of: (node) =>
              node.type === 'condition' ? (
                <ConditionValue node={node} {...common} />
              ) : (
                <div className="members">
                  <OutcomeDetails node={node} rule={rule} onNode={onNode} disabled={disabled} />
                </div>
              ),
          },
          { title: words.editor.yes, of: (node) => targets(node, true) },
          { title: words.editor.no, of: (node) => targets(node, false) },
          ...(disabled
            ? []
            : [
                {
                  title: words.actions,
                  of: (node: RuleNode) => (
                    <NodeActions
                      {...{ node, definition }}
                      onDefinition={changeDefinition}
                      onRemove={(id) => remove(id, () => setGoTo(ADD))}
                      onGoTo={(id) => setGoTo(fieldId(id))}
                    />
                  ),
                },
              ]),
        ]}
      />
      {!disabled && (
        <div className="actions small">
          <Button id={ADD} onPress={() => add('condition')}>
            {words.editor.addCondition}
          </Button>
          <Button onPress={() => add('action')}>{words.editor.addAction}</Button>
        </div>
      )}
    </div>
  );
}

const ADD = 'add-question';
