import type { RuleDefinition } from '@constancia/rule-graph';
import { useReducer } from 'react';
import type { EditedRule } from './edited-rule.ts';

/** A rule while it is edited: the table and the graph show the same. */
export interface Editing {
  rule: EditedRule;
  /** `tag`: changes in a row with the same tag, such as letters typed into one field, are undone together. */
  change: (rule: EditedRule, tag?: string) => void;
  changeDefinition: (definition: RuleDefinition, tag?: string) => void;
  /** Goes on with another state of the rule, such as what somebody else saved. Nothing before it can be undone. */
  reset: (rule: EditedRule) => void;
  /** What is typed from now on is undone on its own: the rule was saved. */
  settle: () => void;
  /** Null: there is nothing to undo. */
  undo: (() => void) | null;
}

interface State {
  rule: EditedRule;
  past: readonly EditedRule[];
  tag: string | undefined;
}

type Step = { rule: EditedRule; tag: string | undefined } | { reset: EditedRule } | 'undo' | 'settle';

const MOST_STEPS = 100;

export function useEditedRule(initial: EditedRule): Editing {
  const [{ rule, past }, take] = useReducer(next, { rule: initial, past: [], tag: undefined });
  return {
    rule,
    change: (changed, tag) => take({ rule: changed, tag }),
    changeDefinition: (definition, tag) => take({ rule: { ...rule, definition }, tag }),
    reset: (other) => take({ reset: other }),
    settle: () => take('settle'),
    undo: past.length === 0 ? null : () => take('undo'),
  };
}

function next({ rule, past, tag }: State, step: Step): State {
  if (step === 'settle') return { rule, past, tag: undefined };
  if (step === 'undo') return { rule: past.at(-1) ?? rule, past: past.slice(0, -1), tag: undefined };
  if ('reset' in step) return { rule: step.reset, past: [], tag: undefined };
  const goesOn = step.tag !== undefined && step.tag === tag;
  return { rule: step.rule, past: goesOn ? past : [...past, rule].slice(-MOST_STEPS), tag: step.tag };
}
