import type { ListCode } from '@constancia/reference-data';
import type { Facts, ListMatch } from './facts.ts';
import type { ActionNode, GraphNode, Rule, RuleDefinition } from './rule.ts';

/** Facts of a named natural person, screened on 2026-11-21, who is on no list; `payload` is added to the name. */
export function factsOf(facts: Partial<Facts> = {}): Facts {
  return {
    subjectType: 'natural',
    screenedOn: '2026-11-21',
    hitThreshold: 0.85,
    matches: { hits: [], nearMisses: [] },
    relatedParties: null,
    fatf: {},
    history: { decisions: [], screenings: [] },
    ...facts,
    payload: { full_name: 'Persona Ejemplo', ...facts.payload },
  };
}

export function hit(list: ListCode, score = 0.93, programmes: string[] = []): ListMatch {
  return { list, entryId: `${list}-1`, score, programmes };
}

/** A rule of one natural or legal subject; its definition is written by the test. */
export function ruleOf(definition: RuleDefinition, rule: Partial<Rule> = {}): Rule {
  return { code: 'R-1', severity: 'review', score: 10, subject_type: 'both', ...rule, definition };
}

/** Nodes one after the other. */
export function chainOf(...nodes: GraphNode[]): RuleDefinition {
  return { nodes, edges: nodes.slice(1).map(({ id }, nth) => ({ from: (nodes[nth] as GraphNode).id, to: id })) };
}

export const condition = (id: string, predicate: string, value?: unknown): GraphNode => ({
  id,
  type: 'condition',
  predicate,
  ...(value !== undefined && { value }),
});

export const action = (id = 'a', members: Partial<ActionNode> = {}): ActionNode => ({ id, type: 'action', ...members });
