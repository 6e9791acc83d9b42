import { DECISIONS, SUBJECT_TYPES } from '../rule.ts';
import type { Rule } from '../rule.ts';
import type { LintReport } from './lint-report.ts';
import { MAX_SCORE, parseDefinition } from './parse-definition.ts';
import { Problems } from './problems.ts';
import { subsumersOf } from './subsumption.ts';
import type { LintedRule } from './subsumption.ts';
import { warnOfGraph } from './warnings.ts';
import type { RuleContext } from './warnings.ts';

const RULE_CODE = /^[A-Za-z0-9_.:-]{1,64}$/;
/** Pages of rules go on after a position as PostgreSQL’s integer holds it. */
const MAX_POSITION = 2_147_483_647;
const DESCRIPTION = /^[\s\S]{0,2000}$/;

/**
 * Everything that is wrong with a rule's definition. Pointers begin at the definition (`/nodes/0/value`). The rule's
 * severity and subject type, where given, allow for more warnings.
 */
export function lintDefinition(definition: unknown, rule: RuleContext = {}): LintReport {
  const problems = new Problems();
  const graph = parseDefinition(definition, problems);
  if (graph) warnOfGraph(graph, rule, problems);
  return problems.report;
}

/** The same for a whole rule. Pointers begin at the rule (`/definition/nodes/0/value`). Other members are left alone. */
export function lintRule(raw: unknown): LintReport {
  const problems = new Problems();
  const parsed = parseRule(raw, problems);
  if (parsed) warnOfGraph(parsed.graph, parsed.rule, problems.at('definition'));
  return problems.report;
}

/**
 * The same for a rule set, with what rules say of each other once all are correct. Pointers begin at the list
 * (`/3/definition/…`).
 */
export function lintRules(rules: readonly unknown[]): LintReport {
  const problems = new Problems();
  const parsed = parseRules(rules, problems);
  for (const [nth, each] of parsed.entries())
    if (each) warnOfGraph(each.graph, each.rule, problems.at(nth, 'definition'));
  if (problems.report.errors.length === 0) warnOfSubsumed(parsed as LintedRule[], problems);
  return problems.report;
}

/** Reads a rule set and reports every error in it; undefined in the place of a rule that has any. */
export function parseRules(rules: readonly unknown[], problems: Problems): (LintedRule | undefined)[] {
  const parsed = rules.map((rule, nth) => parseRule(rule, problems.at(nth)));
  const first = new Map<string, number>();
  for (const [nth, each] of parsed.entries()) {
    if (!each) continue;
    const earlier = first.get(each.rule.code);
    if (earlier === undefined) first.set(each.rule.code, nth);
    else problems.at(nth, 'code').error('duplicate_rule_code', `Rule ${earlier} has the code ${each.rule.code}, too.`);
  }
  return parsed;
}

function parseRule(raw: unknown, problems: Problems): LintedRule | undefined {
  const before = problems.report.errors.length;
  const rule = problems.object(raw, 'A rule');
  if (!rule) return undefined;
  problems.at('code').text(rule.code, 'A rule code', RULE_CODE, '1 to 64 letters, digits, _ . : -');
  problems.at('severity').oneOf(rule.severity, 'A severity', DECISIONS);
  problems.at('score').integer(rule.score, 'A score', 0, MAX_SCORE);
  problems.at('subject_type').oneOf(rule.subject_type, 'A subject type', [...SUBJECT_TYPES, 'both']);
  if (rule.description !== undefined && rule.description !== null)
    problems.at('description').text(rule.description, 'A description', DESCRIPTION, 'at most 2,000 characters');
  if (rule.position !== undefined) problems.at('position').integer(rule.position, 'A position', 0, MAX_POSITION);
  const graph = parseDefinition(rule.definition, problems.at('definition'));
  if (!graph || problems.report.errors.length > before) return undefined;
  return { rule: raw as Rule, graph };
}

function warnOfSubsumed(rules: readonly LintedRule[], problems: Problems): void {
  for (const [nth, outer] of subsumersOf(rules).entries())
    if (outer)
      problems.at(nth).warn('rule_subsumed', `Wherever ${rules[nth]?.rule.code} fires, ${outer.rule.code} fires with no less.`); // prettier-ignore
}
