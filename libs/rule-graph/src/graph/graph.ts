import type { Predicate } from '../predicates/predicate.ts';
import type { Decision } from '../rule.ts';

/** A condition whose predicate is known and whose value was accepted, in canonical form. */
export interface Condition {
  kind: 'condition';
  id: string;
  predicateName: string;
  predicate: Predicate;
  value: unknown;
}

export interface Action {
  kind: 'action';
  id: string;
  decision?: Decision;
  score?: number;
  reason?: string;
}

/** Nodes by their position in `nodes`. */
export interface Edge {
  from: number;
  to: number;
  when: boolean;
}

/** A definition that was understood: nodes in the order in which they were written. */
export interface Graph {
  nodes: (Condition | Action)[];
  edges: Edge[];
}

/** For each node, the edges that arrive at it. */
export function incomingEdges({ nodes, edges }: { nodes: readonly unknown[]; edges: readonly Edge[] }): Edge[][] {
  const incoming: Edge[][] = nodes.map(() => []);
  for (const edge of edges) incoming[edge.to]?.push(edge);
  return incoming;
}

/** For each node, the edges that leave from it. */
export function outgoingEdges({ nodes, edges }: { nodes: readonly unknown[]; edges: readonly Edge[] }): Edge[][] {
  const outgoing: Edge[][] = nodes.map(() => []);
  for (const edge of edges) outgoing[edge.from]?.push(edge);
  return outgoing;
}

/**
 * Every node after the nodes that lead to it; of those that may come next, the one written first. The graph has no cycle
 * and at most a few hundred nodes.
 */
export function topologicalOrder(graph: Graph): number[] {
  const waiting = incomingEdges(graph).map((edges) => edges.length);
  const outgoing = outgoingEdges(graph);
  const order: number[] = [];
  for (;;) {
    const next = waiting.findIndex((count) => count === 0);
    if (next === -1) return order;
    order.push(next);
    waiting[next] = -1;
    for (const { to } of outgoing[next] as Edge[]) waiting[to] = (waiting[to] as number) - 1;
  }
}
