import type { Action, Condition, Graph } from '../graph/graph.ts';
import type { ActionNode, ConditionNode, RuleDefinition } from '../rule.ts';
import { parseDefinition } from './parse-definition.ts';
import { Problems } from './problems.ts';

/**
 * A definition as it is stored: codes of countries, currencies, lists and document types in upper case, `when` only
 * where it is false. Answers undefined for a definition that does not lint.
 */
export function canonicalDefinition(definition: unknown): RuleDefinition | undefined {
  const graph = parseDefinition(definition, new Problems());
  return graph && { nodes: graph.nodes.map(written), edges: edgesOf(graph) };
}

function written(node: Condition | Action): ConditionNode | ActionNode {
  if (node.kind === 'action') {
    const { id, decision, score, reason } = node;
    return { id, type: 'action', ...(decision && { decision }), ...(score !== undefined && { score }), ...(reason !== undefined && { reason }) }; // prettier-ignore
  }
  const { id, predicateName, value } = node;
  return { id, type: 'condition', predicate: predicateName, ...(value !== true && { value }) };
}

function edgesOf({ nodes, edges }: Graph): RuleDefinition['edges'] {
  return edges.map(({ from, to, when }) => {
    const ends = { from: (nodes[from] as Condition).id, to: (nodes[to] as Condition).id };
    return when ? ends : { ...ends, when };
  });
}
