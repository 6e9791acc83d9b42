/** From the mildest to the most severe; a result takes the most severe decision of the actions that fired. */
export const DECISIONS = ['approve', 'review', 'reject'] as const;
export type Decision = (typeof DECISIONS)[number];

export const SUBJECT_TYPES = ['natural', 'legal'] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** A question about the facts. `value` is what the predicate's entry in PREDICATES asks for. */
export interface ConditionNode {
  id: string;
  type: 'condition';
  /** A key of PREDICATES. */
  predicate: string;
  value?: unknown;
}

/** What happens when it is reached. Terminal. */
export interface ActionNode {
  id: string;
  type: 'action';
  /** Left out: the rule's severity. */
  decision?: Decision;
  /** Left out: the rule's score. An integer, 0 or more. */
  score?: number;
  /** Left out: the rule's description, else its code. */
  reason?: string;
}

export type GraphNode = ConditionNode | ActionNode;

/** Followed when the condition it leaves from is true, or, with `when: false`, when it is false. Unknown follows neither. */
export interface GraphEdge {
  from: string;
  to: string;
  when?: boolean;
}

/** A directed acyclic graph. Nodes without an incoming edge are starts: chains are AND, edges that meet are OR. */
export interface RuleDefinition {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

/** A rule as stored and as sent, snake_case. */
export interface Rule {
  /** Unique within its validation. */
  code: string;
  severity: Decision;
  /** An integer, 0 or more: what an action without a score of its own adds. */
  score: number;
  subject_type: SubjectType | 'both';
  description?: string | null;
  /** Rules are evaluated by position, then by code. Left out: 0. */
  position?: number;
  definition: RuleDefinition;
}
