import { bogotaDay } from '@constancia/kernel';
import { ValidationError } from '@constancia/problem-json';
import type { SubjectPayload } from '@constancia/rule-graph';
import { payloadErrors } from './payload-errors.ts';

/** The payload of a body. Throws ValidationError with everything that is wrong with it. */
export function checkedPayload(payload: SubjectPayload, now: number = Date.now()): SubjectPayload {
  const errors = payloadErrors(payload, bogotaDay(now));
  if (errors.length > 0) throw new ValidationError(errors.slice(0, 100));
  return payload;
}
