import type { Evaluation } from '../evaluation.ts';
import type { Facts } from '../facts.ts';
import type { ConditionNode, GraphNode, Rule } from '../rule.ts';
import { answer, contradictions, type Gap, isHit } from './reference-answers.fixture.ts';

/**
 * The rules of evaluation once more, as plainly as they can be said and without a thought for speed: every question is
 * answered from the facts again, every node asks its predecessors. Shares nothing with the compiler.
 */
export function referenceEvaluation(rules: readonly Rule[], facts: Facts): Evaluation {
  const findings: Evaluation['findings'] = [];
  const gaps: Gap[] = [...contradictions(facts)];
  const ranks = ['approve', 'review', 'reject'] as const;
  const sorted = [...rules].sort(
    (one, other) => (one.position ?? 0) - (other.position ?? 0) || (one.code < other.code ? -1 : 1),
  );
  for (const rule of sorted) {
    if (rule.subject_type !== 'both' && rule.subject_type !== facts.subjectType) continue;
    const { nodes, edges } = rule.definition;
    const isReached = (node: GraphNode): boolean => {
      const incoming = edges.filter(({ to }) => to === node.id);
      return (
        incoming.length === 0 ||
        incoming.some(({ from, when = true }) => {
          const source = nodes.find(({ id }) => id === from) as ConditionNode;
          return isReached(source) && answer(source, facts) === when;
        })
      );
    };
    for (const node of inTopologicalOrder(nodes, edges).filter(isReached)) {
      if (node.type === 'condition') {
        const given = answer(node, facts);
        if (typeof given !== 'boolean') gaps.push(...given);
      } else
        findings.push({
          rule_code: rule.code,
          node_id: node.id,
          decision: node.decision ?? rule.severity,
          score: node.score ?? rule.score,
          reason: node.reason || rule.description || rule.code,
        });
    }
  }
  const worst = Math.max(0, ...findings.map(({ decision }) => ranks.indexOf(decision)));
  const gapKeys = new Set(gaps.map(({ field, kind }) => JSON.stringify([field, kind])));
  return {
    decision: ranks[worst] as Evaluation['decision'],
    score: findings.reduce((sum, { score }) => sum + score, 0),
    findings,
    list_hits: (['OFAC', 'ONU', 'PEP', 'EU_SANCTIONS', 'FATF', 'INTERNAL'] as const).filter((list) =>
      isHit(list, facts),
    ),
    data_gaps: [...gapKeys]
      .map((text) => JSON.parse(text) as [string, Gap['kind']])
      .sort(([f1, k1], [f2, k2]) => (f1 === f2 ? (k1 < k2 ? -1 : 1) : f1 < f2 ? -1 : 1))
      .map(([field, kind]) => ({ field, kind })),
  };
}

function inTopologicalOrder(nodes: GraphNode[], edges: Rule['definition']['edges']): GraphNode[] {
  const placed: GraphNode[] = [];
  while (placed.length < nodes.length) {
    const next = nodes.find(
      (node) =>
        !placed.includes(node) && edges.every(({ from, to }) => to !== node.id || placed.some(({ id }) => id === from)),
    );
    placed.push(next as GraphNode);
  }
  return placed;
}
