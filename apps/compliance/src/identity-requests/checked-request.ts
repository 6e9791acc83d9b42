import type { ScreeningRequest } from '@constancia/contracts';
import { checked } from '@constancia/http';
import { ValidationError } from '@constancia/problem-json';
import { IsIn, IsString, Length } from 'class-validator';
import { ScreeningBody } from '../screenings/screening-body.ts';

/** What a sealed message held, if it is a request. Throws ValidationError. */
export function checkedRequest(opened: unknown): ScreeningRequest {
  const { kind, ...rest } = (opened ?? {}) as { kind?: unknown };
  if (kind === 'seed_default') return { kind };
  if (kind === 'case_state') return { kind, ...plain(checked(rest, CaseStateRequest, '')) };
  if (kind === 'resolve_case') return { kind, ...plain(checked(rest, ResolveCaseRequest, '')) };
  if (kind !== 'screen') {
    throw new ValidationError([{ pointer: '/kind', code: 'not_allowed', detail: 'There is no such kind of request.' }]);
  }
  const { validation_code = '', subject_ref, subject_type, payload } = checked(rest, ScreeningBody, '');
  return { kind, validation_code, subject_ref, subject_type, payload: payload as Record<string, unknown> };
}

/** Whether what a sealed message held names a case. */
export function isAboutCase(opened: unknown): boolean {
  return typeof opened === 'object' && opened !== null && 'case_id' in opened;
}

class CaseStateRequest {
  @IsString()
  case_id: string;
}

class ResolveCaseRequest extends CaseStateRequest {
  @IsIn(['approve', 'reject'])
  decision: 'approve' | 'reject';

  @IsString()
  @Length(1, 4000)
  reason: string;

  @IsString()
  @Length(1, 128)
  actor: string;
}

const plain = <T extends object>(request: T): T => ({ ...request });
