import type { DataGap, Finding } from '../evaluation.ts';
import { incomingEdges, outgoingEdges, topologicalOrder } from '../graph/graph.ts';
import type { Action, Graph } from '../graph/graph.ts';
import type { Outcome, Reading } from '../predicates/reading.ts';
import type { Rule } from '../rule.ts';
import type { Needs } from '../needs.ts';

export interface CompiledRule {
  /** Adds what fires to `findings`, and what made conditions unknown to `gaps`. */
  run(reading: Reading, findings: Finding[], gaps: DataGap[]): void;
  needs: Partial<Needs>[];
}

/** Nodes by their place in topological order: one bit each, 32 to a word. */
interface Places {
  word: number;
  bits: number;
}

/** A node as it runs. */
interface Step {
  test: ((reading: Reading) => Outcome) | null;
  finding: Finding | null;
  /** Where its edges lead: places in its own word, and in later ones. */
  whenTrue: { here: number; later: readonly Places[] };
  whenFalse: { here: number; later: readonly Places[] };
}

/**
 * Lays the nodes out in topological order, so that one pass forward evaluates each reached node exactly once, and
 * findings come out in order.
 */
export function compileRule(rule: Rule, graph: Graph): CompiledRule {
  const order = topologicalOrder(graph);
  const place = new Map(order.map((node, nth) => [node, nth]));
  const outgoing = outgoingEdges(graph);
  const targets = (node: number, answer: boolean) => {
    const edges = (outgoing[node] ?? []).filter(({ when }) => when === answer);
    const own = wordOf(place.get(node) as number);
    const all = placesOf(edges.map(({ to }) => place.get(to) as number));
    return { here: all.find(({ word }) => word === own)?.bits ?? 0, later: all.filter(({ word }) => word !== own) };
  };
  const steps = order.map((position): Step => {
    const node = graph.nodes[position] as Graph['nodes'][number];
    return {
      test: node.kind === 'condition' ? node.predicate.test(node.value) : null,
      finding: node.kind === 'action' ? findingOf(rule, node) : null,
      whenTrue: targets(position, true),
      whenFalse: targets(position, false),
    };
  });
  const incoming = incomingEdges(graph);
  const starts = order.flatMap((position, nth) => (incoming[position]?.length === 0 ? [nth] : []));
  const needs = graph.nodes.flatMap((node) =>
    node.kind === 'condition' && node.predicate.needs ? [node.predicate.needs(node.value)] : [],
  );
  return { run: runner(steps, starts), needs };
}

function findingOf(rule: Rule, action: Action): Finding {
  return {
    rule_code: rule.code,
    node_id: action.id,
    decision: action.decision ?? rule.severity,
    score: action.score ?? rule.score,
    reason: action.reason || rule.description || rule.code,
  };
}

const wordOf = (place: number) => place >> 5;

function placesOf(places: readonly number[]): Places[] {
  const byWord = new Map<number, number>();
  for (const place of places) byWord.set(wordOf(place), (byWord.get(wordOf(place)) ?? 0) | (1 << (place & 31)));
  return [...byWord].map(([word, bits]) => ({ word, bits }));
}

/**
 * Takes the reached nodes in order, lowest bit first. Edges lead to later places only, so a node that was taken never
 * comes back.
 */
function runner(steps: readonly Step[], starts: readonly number[]): CompiledRule['run'] {
  const begun = placesOf(starts);
  // Evaluation is synchronous, so a rule needs only one set of words.
  const reached = new Int32Array(wordOf(steps.length - 1) + 1);
  return (reading, findings, gaps) => {
    if (reached.length > 1) reached.fill(0);
    for (let nth = 0; nth < begun.length; nth++) reached[(begun[nth] as Places).word] = (begun[nth] as Places).bits;
    for (let word = 0; word < reached.length; word++) {
      let pending = reached[word] as number;
      while (pending !== 0) {
        const bit = pending & -pending;
        const step = steps[word * 32 + 31 - Math.clz32(bit)] as Step;
        pending ^= bit;
        if (step.test) pending |= follow(step, step.test(reading), reached, gaps);
        else if (step.finding) findings.push(copyOf(step.finding));
      }
    }
  };
}

/** Which places of the step's own word are reached by its answer; later words are marked. */
function follow(step: Step, outcome: Outcome, reached: Int32Array, gaps: DataGap[]): number {
  if (typeof outcome !== 'boolean') {
    for (const gap of outcome) gaps.push(gap);
    return 0;
  }
  const { here, later } = outcome ? step.whenTrue : step.whenFalse;
  for (let nth = 0; nth < later.length; nth++) {
    const { word, bits } = later[nth] as Places;
    reached[word] = (reached[word] as number) | bits;
  }
  return here;
}

/** The result is the caller's to change. Written out: a spread takes several times as long. */
function copyOf({ rule_code, node_id, decision, score, reason }: Finding): Finding {
  return { rule_code, node_id, decision, score, reason };
}
