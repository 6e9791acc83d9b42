import type { Action, Condition, Edge } from '../graph/graph.ts';

/** A node as far as it was understood: what the checks of the structure need, also of broken ones. */
export interface ParsedNode {
  position: number;
  id: string | undefined;
  type: 'condition' | 'action' | undefined;
  /** Undefined when something in it is wrong. */
  node: Condition | Action | undefined;
}

/** An edge between nodes that exist. `position`: in the definition's edges. */
export interface ParsedEdge extends Edge {
  position: number;
}
