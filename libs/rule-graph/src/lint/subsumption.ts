import { outgoingEdges } from '../graph/graph.ts';
import type { Action, Graph } from '../graph/graph.ts';
import { among, implies } from '../predicates/constraint.ts';
import type { Constraint } from '../predicates/constraint.ts';
import { DECISIONS } from '../rule.ts';
import type { Decision, Rule } from '../rule.ts';
import { constraintOf, constraintsOf, literalsBefore, wordingOf } from './chains.ts';
import { subjectTypeOf } from './warnings.ts';

/** A rule whose definition was understood. */
export interface LintedRule {
  rule: Rule;
  graph: Graph;
}

/** What a rule with one action asks before it acts. */
interface Chain {
  subjectType: Rule['subject_type'];
  wordings: ReadonlySet<string>;
  constraints: Constraint[];
  /** Each question, in words and, where there is one, as a constraint. */
  questions: { wording: string; constraint: Constraint | undefined }[];
  /** Nothing but these questions decides whether the action fires. */
  isPlain: boolean;
  decision: Decision;
  score: number;
}

/**
 * For each rule, one that fires wherever it does, with a decision and a score that are at least as high; undefined where
 * there is none. Sees chains that end in one action; of equal rules the first one stays.
 */
export function subsumersOf(rules: readonly LintedRule[]): (LintedRule | undefined)[] {
  const chains = rules.map(chainOf);
  return chains.map((inner, at) => {
    const found = chains.findIndex(
      (outer, nth) => nth !== at && subsumes(outer, inner) && (nth < at || !subsumes(inner, outer)),
    );
    return rules[found];
  });
}

function subsumes(outer: Chain | undefined, inner: Chain | undefined): boolean {
  if (!outer?.isPlain || !inner) return false;
  if (outer.subjectType !== 'both' && outer.subjectType !== inner.subjectType) return false;
  if (DECISIONS.indexOf(outer.decision) < DECISIONS.indexOf(inner.decision) || outer.score < inner.score) return false;
  return outer.questions.every(
    ({ wording, constraint }) =>
      inner.wordings.has(wording) || (constraint && inner.constraints.some((premise) => implies(premise, constraint))),
  );
}

function chainOf({ rule, graph }: LintedRule): Chain | undefined {
  const actions = graph.nodes.flatMap((node, position) => (node.kind === 'action' ? [position] : []));
  const [action] = actions;
  if (action === undefined || actions.length > 1) return undefined;
  const literals = literalsBefore(graph)[action] ?? [];
  const { decision, score } = graph.nodes[action] as Action;
  const wordings = literals.map((literal) => wordingOf(graph, literal));
  return {
    subjectType: rule.subject_type,
    wordings: new Set(wordings),
    constraints: [among('always', ['true']), ...subjectTypeOf(rule), ...constraintsOf(graph, literals)],
    questions: literals.map((literal, nth) => ({
      wording: wordings[nth] as string,
      constraint: constraintOf(graph, literal),
    })),
    isPlain: literals.length === graph.nodes.length - 1 && outgoingEdges(graph).every((edges) => edges.length <= 1),
    decision: decision ?? rule.severity,
    score: score ?? rule.score,
  };
}
