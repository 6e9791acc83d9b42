import type { ScreeningRequest } from '@constancia/contracts';
import { checked } from '@constancia/http';
import { ValidationError } from '@constancia/problem-json';
import { ScreeningBody } from '../screenings/screening-body.ts';

/** What a sealed message held, if it is a request. Throws ValidationError. */
export function checkedRequest(opened: unknown): ScreeningRequest {
  const { kind, ...rest } = (opened ?? {}) as { kind?: unknown };
  if (kind === 'seed_default') return { kind };
  if (kind !== 'screen') {
    throw new ValidationError([{ pointer: '/kind', code: 'not_allowed', detail: 'Must be screen or seed_default.' }]);
  }
  const { validation_code = '', subject_ref, subject_type, payload } = checked(rest, ScreeningBody, '');
  return { kind, validation_code, subject_ref, subject_type, payload: payload as Record<string, unknown> };
}
