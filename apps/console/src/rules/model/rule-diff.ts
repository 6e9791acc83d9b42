import { canonicalJson } from '@constancia/kernel/canonical-json';
import type { EditedRule, RuleEdge, RuleNode } from './edited-rule.ts';
import { edgeKey } from './rule-edits.ts';

/** What differs between two states of a rule. */
export type RuleDifference =
  | { of: 'member'; name: Member; before: string; after: string }
  | { of: 'node'; id: string; before: RuleNode | null; after: RuleNode | null }
  | { of: 'edge'; edge: RuleEdge; there: boolean };

export const MEMBERS = ['code', 'description', 'severity', 'score', 'subject_type', 'position'] as const;
export type Member = (typeof MEMBERS)[number];

/** null: there is no rule before, or none any more. */
export function differencesOf(before: EditedRule | null, after: EditedRule | null): RuleDifference[] {
  const members = MEMBERS.map((name): RuleDifference & { of: 'member' } => {
    return { of: 'member', name, before: textOf(before?.[name]), after: textOf(after?.[name]) };
  }).filter((member) => member.before !== member.after);
  const [old, now] = [before, after].map((rule) => new Map(rule?.definition.nodes.map((node) => [node.id, node])));
  const ids = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
  const nodes = [...ids].flatMap((id): RuleDifference[] => {
    const [one, other] = [old?.get(id) ?? null, now?.get(id) ?? null];
    return canonicalJson(one) === canonicalJson(other) ? [] : [{ of: 'node', id, before: one, after: other }];
  });
  const [oldEdges, newEdges] = [before, after].map(
    (rule) => new Map(rule?.definition.edges.map((edge) => [edgeKey(edge), edge])),
  );
  const edges = [
    ...missing(oldEdges, newEdges).map((edge): RuleDifference => ({ of: 'edge', edge, there: false })),
    ...missing(newEdges, oldEdges).map((edge): RuleDifference => ({ of: 'edge', edge, there: true })),
  ];
  return [...members, ...nodes, ...edges];
}

export const isSameRule = (one: EditedRule, other: EditedRule): boolean => differencesOf(one, other).length === 0;

/** A rule that was added (before: null), removed (after: null) or changed. */
export interface ChangedRule {
  code: string;
  before: EditedRule | null;
  after: EditedRule | null;
}

/** What differs between two sets of rules, by code. */
export function changedRules(before: readonly EditedRule[], after: readonly EditedRule[]): ChangedRule[] {
  const [old, now] = [before, after].map((rules) => new Map(rules.map((rule) => [rule.code, rule])));
  const codes = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
  return [...codes].flatMap((code) => {
    const [one, other] = [old?.get(code) ?? null, now?.get(code) ?? null];
    return one !== null && other !== null && isSameRule(one, other) ? [] : [{ code, before: one, after: other }];
  });
}

const textOf = (value: string | number | null | undefined): string => String(value ?? '');
const missing = (of: Map<string, RuleEdge> | undefined, among: Map<string, RuleEdge> | undefined): RuleEdge[] =>
  [...(of ?? [])].filter(([key]) => among?.has(key) !== true).map(([, edge]) => edge);
