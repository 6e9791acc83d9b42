import type { FieldError } from '@constancia/problem-json';

/** Member names that JavaScript gives a meaning of its own: none of ours, and never copied into an object. */
export const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** The error of a member that a request class does not know. */
export function unknownMember(pointer: string): FieldError {
  return { pointer, code: 'unknown_member', detail: 'Remove this member: it is not known here.' };
}
