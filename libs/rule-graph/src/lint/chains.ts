import { incomingEdges, topologicalOrder } from '../graph/graph.ts';
import type { Condition, Graph } from '../graph/graph.ts';
import { negation } from '../predicates/constraint.ts';
import type { Constraint } from '../predicates/constraint.ts';

/** A condition that must have had this answer. */
export interface Literal {
  node: number;
  answer: boolean;
}

/**
 * For each node, the answers without which it is not reached: those that every way to it has in common. Chains are
 * distinguished completely, graphs whose ways meet cautiously.
 */
export function literalsBefore(graph: Graph): Literal[][] {
  const incoming = incomingEdges(graph);
  const before: Set<number>[] = graph.nodes.map(() => new Set());
  for (const position of topologicalOrder(graph)) {
    const ways = (incoming[position] ?? []).map(
      ({ from, when }) => new Set([...(before[from] as Set<number>), from * 2 + (when ? 1 : 0)]),
    );
    if (ways.length > 0)
      before[position] = ways.reduce((common, way) => new Set([...common].filter((literal) => way.has(literal))));
  }
  return before.map((literals) =>
    [...literals].map((literal) => ({ node: Math.floor(literal / 2), answer: literal % 2 === 1 })),
  );
}

/** What a literal says of the facts; undefined where it says nothing that could be compared. */
export function constraintOf(graph: Graph, { node, answer }: Literal): Constraint | undefined {
  const condition = graph.nodes[node] as Condition;
  const constraint = condition.predicate.constraint?.(condition.value);
  return constraint && !answer ? negation(constraint) : constraint;
}

/** What all of them say together. */
export function constraintsOf(graph: Graph, literals: readonly Literal[]): Constraint[] {
  return literals.map((literal) => constraintOf(graph, literal)).filter((constraint) => constraint !== undefined);
}

/** The same question in the same words, for comparing conditions that have no constraint. */
export function wordingOf(graph: Graph, { node, answer }: Literal): string {
  const { predicateName, value } = graph.nodes[node] as Condition;
  return `${predicateName} ${JSON.stringify(value)} ${answer}`;
}
