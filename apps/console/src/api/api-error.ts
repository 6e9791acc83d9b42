import { isSuspended, type Refusal } from '@constancia/web';

/** One of `errors` of a problem: what is wrong with which member of the request. */
export interface FieldFault {
  /** JSON Pointer into the body, such as `/name`. */
  pointer: string;
  code: string;
  /** In English, as the API says it. */
  detail: string;
}

/** What a server refused. */
export class ApiError extends Error {
  readonly status: number;
  /** From Retry-After; null when the server names none. */
  readonly waitSeconds: number | null;
  /** Operators have suspended the tenant. */
  readonly suspended: boolean;
  /** The last part of the problem's type, such as `state-conflict`; empty when the answer is no problem document. */
  readonly slug: string;
  readonly requestId: string;
  readonly faults: readonly FieldFault[];

  constructor(refusal: Refusal) {
    const { detail, type, request_id, errors } = refusal.document as Record<string, unknown>;
    super(textOf(detail));
    this.status = refusal.status;
    this.waitSeconds = refusal.waitSeconds;
    this.suspended = isSuspended(refusal);
    this.slug = textOf(type).split('/').pop() ?? '';
    this.requestId = textOf(request_id);
    this.faults = Array.isArray(errors) ? (errors as FieldFault[]) : [];
  }
}

/** Whether somebody changed it meanwhile, or its state does not allow what was asked for. */
export const isConflict = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.slug === 'state-conflict';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
