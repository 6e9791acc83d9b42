import { pointerTo } from '@constancia/http';
import { type FieldError, ValidationError } from '@constancia/problem-json';
import { lintRule, type LintReport, type Rule } from '@constancia/rule-graph';

/** A rule that may be saved, and what is probably not meant in it. */
export interface CheckedRule {
  rule: Rule;
  warnings: LintReport['warnings'];
}

/** Reads a rule out of a body. Throws ValidationError with everything that is wrong with it, graph and all. */
export function checkedRule(body: unknown): CheckedRule {
  const { errors, warnings } = lintRule(body);
  const all: FieldError[] = [...unknownMembers(body), ...errors];
  if (all.length > 0) throw new ValidationError(all);
  return { rule: body as Rule, warnings };
}

const MEMBERS = new Set(['code', 'severity', 'score', 'subject_type', 'description', 'position', 'definition']);

function unknownMembers(body: unknown): FieldError[] {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return [];
  return Object.keys(body)
    .filter((member) => !MEMBERS.has(member))
    .map((member) => ({
      pointer: pointerTo('', member),
      code: 'unknown_member',
      detail: 'Remove this member: it is not known here.',
    }));
}
