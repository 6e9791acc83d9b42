import { outgoingEdges } from '../graph/graph.ts';
import type { Graph } from '../graph/graph.ts';
import { among, contradict } from '../predicates/constraint.ts';
import type { Constraint } from '../predicates/constraint.ts';
import type { Rule } from '../rule.ts';
import { constraintsOf, literalsBefore, wordingOf } from './chains.ts';
import type { Literal } from './chains.ts';
import type { Problems } from './problems.ts';

/** What a rule's graph is judged by beside itself. */
export type RuleContext = Partial<Pick<Rule, 'severity' | 'subject_type'>>;

/** Warns of what a correct graph probably does not mean to say. */
export function warnOfGraph(graph: Graph, rule: RuleContext, problems: Problems): void {
  const outgoing = outgoingEdges(graph);
  const before = literalsBefore(graph);
  const reached = new Set(graph.edges.map(({ to }) => to));
  const always = [among('always', ['true']), ...subjectTypeOf(rule)];
  for (const [position, node] of graph.nodes.entries()) {
    const at = problems.at('nodes', position);
    if (node.kind === 'action') {
      if (!reached.has(position))
        at.warn('action_always_fires', `Nothing leads to action ${node.id}: it always fires.`);
      if (node.decision !== undefined && rule.severity !== undefined && node.decision !== rule.severity)
        at.at('decision').warn('action_decision_differs', `The rule's severity is ${rule.severity}, this action decides ${node.decision}.`); // prettier-ignore
      continue;
    }
    const edges = outgoing[position] ?? [];
    if (edges.length === 0) at.warn('condition_without_edge', `Nothing follows from condition ${node.id}.`);
    const earlier = before[position] as Literal[];
    const asked = edges.length === 0 || edges.some(({ when }) => when);
    if (asked && becomesImpossible(graph, earlier, { node: position, answer: true }, always))
      at.warn('contradictory_chain', `Condition ${node.id} is never true where it is reached: ${wordsOf(graph, earlier)} came before.`); // prettier-ignore
    if (node.predicate.reads.includes('amount') && !hasCurrency(graph, position, before))
      at.warn('amount_without_currency', `Condition ${node.id} compares amounts of all currencies: ask currency_in first.`); // prettier-ignore
  }
}

export function subjectTypeOf({ subject_type }: RuleContext): Constraint[] {
  return subject_type === undefined || subject_type === 'both' ? [] : [among('subject_type', [subject_type])];
}

/** Reported where a chain turns impossible, not again after it. */
function becomesImpossible(graph: Graph, earlier: Literal[], next: Literal, always: Constraint[]): boolean {
  return !isImpossible(graph, earlier, always) && isImpossible(graph, [...earlier, next], always);
}

function isImpossible(graph: Graph, literals: Literal[], always: Constraint[]): boolean {
  const words = new Set(literals.map((literal) => wordingOf(graph, literal)));
  const opposed = literals.some(({ node, answer }) => words.has(wordingOf(graph, { node, answer: !answer })));
  return opposed || contradict([...always, ...constraintsOf(graph, literals)]);
}

function wordsOf(graph: Graph, literals: Literal[]): string {
  const names = literals.map(({ node, answer }) => `${graph.nodes[node]?.id}${answer ? '' : ' (false)'}`);
  return names.length > 0 ? names.join(', ') : 'the subject type of the rule';
}

/** The amount's currency is settled before the condition, or else before every action that needs it. */
function hasCurrency(graph: Graph, position: number, before: Literal[][]): boolean {
  const settles = (literals: Literal[]) =>
    constraintsOf(graph, literals).some(
      (each) => each.dimension === 'currency' && each.kind === 'set' && !each.excluded,
    );
  if (settles(before[position] as Literal[])) return true;
  const actions = before.filter(
    (literals, at) => graph.nodes[at]?.kind === 'action' && literals.some(({ node }) => node === position),
  );
  return actions.length > 0 && actions.every(settles);
}
