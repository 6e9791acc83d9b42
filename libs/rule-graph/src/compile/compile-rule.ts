import type { DataGap, Finding } from '../evaluation.ts';
import { incomingEdges, outgoingEdges, topologicalOrder } from '../graph/graph.ts';
import type { Action, Graph } from '../graph/graph.ts';
import type { Outcome, Reading } from '../predicates/reading.ts';
import type { Rule } from '../rule.ts';
import type { Needs } from './compiled-validation.ts';

export interface CompiledRule {
  /** Adds what fires to `findings`, and what made conditions unknown to `gaps`. */
  run(reading: Reading, findings: Finding[], gaps: DataGap[]): void;
  needs: Partial<Needs>[];
}

/** A node as it runs. Positions are those in topological order. */
interface Step {
  test: ((reading: Reading) => Outcome) | null;
  finding: Finding | null;
  whenTrue: readonly number[];
  whenFalse: readonly number[];
}

/**
 * Lays the nodes out in topological order, so that one pass forward evaluates each reached node exactly once, and
 * findings come out in order.
 */
export function compileRule(rule: Rule, graph: Graph): CompiledRule {
  const order = topologicalOrder(graph);
  const place = new Map(order.map((node, nth) => [node, nth]));
  const outgoing = outgoingEdges(graph);
  const targets = (node: number, answer: boolean) =>
    (outgoing[node] ?? []).filter(({ when }) => when === answer).map(({ to }) => place.get(to) as number);
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

function runner(steps: readonly Step[], starts: readonly number[]): CompiledRule['run'] {
  // Which nodes are reached, one byte each. Evaluation is synchronous, so a rule needs only one.
  const reached = new Uint8Array(steps.length);
  const first = starts[0] ?? 0;
  return (reading, findings, gaps) => {
    reached.fill(0);
    for (const start of starts) reached[start] = 1;
    for (let nth = first; nth < steps.length; nth++) {
      if (reached[nth] === 0) continue;
      const { test, finding, whenTrue, whenFalse } = steps[nth] as Step;
      if (finding) findings.push({ ...finding });
      if (!test) continue;
      const outcome = test(reading);
      if (typeof outcome !== 'boolean') {
        for (const gap of outcome) gaps.push(gap);
        continue;
      }
      for (const target of outcome ? whenTrue : whenFalse) reached[target] = 1;
    }
  };
}
