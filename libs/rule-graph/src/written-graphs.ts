import type { ConditionNode, RuleDefinition } from './rule.ts';

/** A predicate and the value that it is asked with. */
export type Question = [predicate: string, value?: unknown];

/** Conditions that must all hold, one after the other, then the action. */
export function chain(...questions: Question[]): RuleDefinition {
  const conditions = questions.map((question, nth) => condition(`c${nth + 1}`, question));
  const ids = [...conditions.map(({ id }) => id), 'action'];
  return {
    nodes: [...conditions, { id: 'action', type: 'action' }],
    edges: ids.slice(1).map((to, nth) => ({ from: ids[nth] as string, to })),
  };
}

/** A condition, and then any of several chains, before one action. */
export function eitherAfter(first: Question, ...ways: Question[][]): RuleDefinition {
  const nodes: RuleDefinition['nodes'] = [condition('c1', first)];
  const edges: RuleDefinition['edges'] = [];
  for (const [way, questions] of ways.entries()) {
    let from = 'c1';
    for (const [nth, question] of questions.entries()) {
      const to = `c${way + 2}${'abcdefgh'[nth]}`;
      nodes.push(condition(to, question));
      edges.push({ from, to });
      from = to;
    }
    edges.push({ from, to: 'action' });
  }
  return { nodes: [...nodes, { id: 'action', type: 'action' }], edges };
}

function condition(id: string, [predicate, value]: Question): ConditionNode {
  return { id, type: 'condition', predicate, ...(value !== undefined && { value }) };
}
