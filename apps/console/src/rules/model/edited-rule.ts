import type { Rule, RuleDefinition } from '@constancia/rule-graph';
import type { StoredRule } from './use-rules.ts';

/** A rule as it is being edited: what is sent, whole. */
export type EditedRule = Required<Rule>;
export type RuleNode = RuleDefinition['nodes'][number];
export type ConditionNode = Extract<RuleNode, { type: 'condition' }>;
export type ActionNode = Extract<RuleNode, { type: 'action' }>;
export type RuleEdge = RuleDefinition['edges'][number];

/** What of a stored rule can be edited. */
export function contentOf({ code, severity, score, subject_type, description, position, definition }: StoredRule) {
  return { code, severity, score, subject_type, description, position, definition } as EditedRule;
}

/** What a new rule begins with. `position`: after all others. */
export const newRule = (position: number): EditedRule => ({
  code: '',
  severity: 'review',
  score: 10,
  subject_type: 'both',
  description: null,
  position,
  definition: {
    nodes: [
      { id: 'c1', type: 'condition', predicate: 'country_not_in', value: ['CO'] },
      { id: 'a1', type: 'action' },
    ],
    edges: [{ from: 'c1', to: 'a1' }],
  },
});
