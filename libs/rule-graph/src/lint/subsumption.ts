import { outgoingEdges } from '../graph/graph.ts';
import type { Action, Graph } from '../graph/graph.ts';
import { among, implies } from '../predicates/constraint.ts';
import type { Constraint } from '../predicates/constraint.ts';
import { DECISIONS } from '../rule.ts';
import type { Decision, Rule } from '../rule.ts';
import { constraintOf, constraintsOf, literalsBefore, wordingOf } from './chains.ts';
import { subjectTypeOf } from './warnings.ts';

export interface LintedRule {
  rule: Pick<Rule, 'code' | 'severity' | 'score' | 'subject_type'>;
  graph: Graph;
}

/** What a rule with one action asks before it acts. */
interface Chain {
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
 * The rule, by position in `rules`, that fires wherever rule `inner` does, with a decision and a score that are at least
 * as high; undefined when there is none. Sees chains that end in one action; of equal rules the first one stays.
 */
export function subsumerOf(inner: number, rules: readonly LintedRule[]): number | undefined {
  const chains = rules.map(chainOf);
  const found = chains.findIndex(
    (_, outer) =>
      outer !== inner &&
      subsumes(chains[outer], chains[inner], rules[outer] as LintedRule, rules[inner] as LintedRule) &&
      (outer < inner ||
        !subsumes(chains[inner], chains[outer], rules[inner] as LintedRule, rules[outer] as LintedRule)),
  );
  return found === -1 ? undefined : found;
}

function subsumes(outer: Chain | undefined, inner: Chain | undefined, of: LintedRule, by: LintedRule): boolean {
  if (!outer?.isPlain || !inner) return false;
  const [wide, narrow] = [of.rule.subject_type, by.rule.subject_type];
  if (wide !== 'both' && wide !== narrow) return false;
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
