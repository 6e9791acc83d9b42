import { ALL_LIST_CODES } from '@constancia/reference-data';
import type { ListCode } from '@constancia/reference-data';
import { gapsOnce } from '../evaluation.ts';
import type { DataGap, Evaluation, Finding } from '../evaluation.ts';
import type { Facts } from '../facts.ts';
import { parseRules } from '../lint/lint.ts';
import type { LintReport } from '../lint/lint-report.ts';
import { Problems } from '../lint/problems.ts';
import type { LintedRule } from '../lint/subsumption.ts';
import { Reading } from '../predicates/reading.ts';
import { DECISIONS } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { compileRule } from './compile-rule.ts';
import type { CompiledRule } from './compile-rule.ts';
import type { Needs } from '../needs.ts';
import type { CompiledValidation } from './compiled-validation.ts';

/** Changes whenever equal facts and rules may give another result. A stored screening keeps it. */
export const EVALUATOR_VERSION = 1;

/** Thrown for rules that do not lint; `report` says why. */
export class RulesInvalid extends Error {
  constructor(readonly report: LintReport) {
    const [first] = report.errors;
    super(`The rules do not lint: ${first?.pointer} ${first?.detail} (${report.errors.length} errors)`);
    this.name = 'RulesInvalid';
  }
}

/**
 * Compiles rules to closures. They are evaluated by position, then by code, whatever order they are given in; every rule
 * of the subject's type is evaluated. Throws RulesInvalid when they do not lint.
 */
export function compileValidation(rules: readonly Rule[]): CompiledValidation {
  const problems = new Problems();
  const parsed = parseRules(rules, problems);
  if (problems.report.errors.length > 0) throw new RulesInvalid(problems.report);
  const compiled = (parsed as LintedRule[])
    .toSorted((one, other) => inOrder(one.rule, other.rule))
    .map(({ rule, graph }) => ({ subjectType: rule.subject_type, rule: compileRule(rule, graph) }));
  const of = (type: Facts['subjectType']) =>
    compiled.filter(({ subjectType }) => subjectType === 'both' || subjectType === type).map(({ rule }) => rule);
  const byType = { natural: of('natural'), legal: of('legal') };
  return {
    needs: needsOf(compiled.map(({ rule }) => rule)),
    evaluate: (facts) => evaluate(byType[facts.subjectType], facts),
  };
}

function inOrder(one: Rule, other: Rule): number {
  const apart = (one.position ?? 0) - (other.position ?? 0);
  return apart !== 0 ? apart : one.code < other.code ? -1 : 1;
}

function evaluate(rules: readonly CompiledRule[], facts: Facts): Evaluation {
  const reading = new Reading(facts);
  const findings: Finding[] = [];
  const gaps: DataGap[] = [];
  for (const rule of rules) rule.run(reading, findings, gaps);
  let severity = 0;
  let score = 0;
  for (const finding of findings) {
    severity = Math.max(severity, DECISIONS.indexOf(finding.decision));
    score += finding.score;
  }
  return {
    decision: DECISIONS[severity] as Evaluation['decision'],
    score,
    findings,
    list_hits: listsOf(reading.hitMask),
    data_gaps: gapsOnce([...gaps, ...reading.conflicts]),
  };
}

function listsOf(mask: number): ListCode[] {
  return mask === 0 ? [] : ALL_LIST_CODES.filter((_, nth) => (mask & (1 << nth)) !== 0);
}

function needsOf(rules: readonly CompiledRule[]): Needs {
  const all = rules.flatMap(({ needs }) => needs);
  const union = (member: 'lists' | 'relatedLists') =>
    ALL_LIST_CODES.filter((list) => all.some((needs) => needs[member]?.includes(list)));
  const most = (member: 'decisionDays' | 'screeningDays') => Math.max(0, ...all.map((needs) => needs[member] ?? 0));
  return {
    lists: union('lists'),
    relatedLists: union('relatedLists'),
    fatf: all.some(({ fatf }) => fatf),
    decisionDays: most('decisionDays'),
    screeningDays: most('screeningDays'),
  };
}
