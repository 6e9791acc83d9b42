import { Problem, PROBLEM_LIMITS } from './problem.ts';

type Members = Record<string, unknown>;
type Headers = Record<string, string>;

/** One thing wrong with a request. `pointer`: RFC 6901, into the body, or /query/…, /headers/…, /path/…. */
export interface FieldError {
  pointer: string;
  /** Stable, snake_case: unknown_member, required, wrong_type, too_long, out_of_range, wrong_format… */
  code: string;
  /** One English sentence that says what to change. */
  detail: string;
}

/** 400: the request cannot be read (malformed JSON, a header that is not what it must be). */
export class BadRequest extends Problem {
  constructor(detail: string, members?: Members, headers?: Headers) {
    super('bad-request', detail, members, headers);
  }
}

/** 400: the request was read and breaks rules; every broken rule is in `errors`, all at once (the first hundred of very many). */
export class ValidationError extends Problem {
  readonly errors: FieldError[];

  constructor(errors: FieldError[]) {
    const [first] = errors;
    const included = errors.slice(0, PROBLEM_LIMITS.errors);
    const where = first === undefined ? '' : ` ${first.pointer === '' ? 'Body' : first.pointer}: ${first.detail}`;
    const rest = errors.length - 1;
    const listed =
      included.length < errors.length
        ? `${rest} more; the first ${included.length} are in errors`
        : `${rest} more in errors`;
    const more = rest > 0 ? ` (${listed})` : '';
    super('validation-error', `The request is not valid.${where}${more}`, { errors: included });
    this.errors = included;
  }
}

/** 400: only a draft validation can be changed. */
export class ValidationNotDraft extends Problem {
  constructor(
    detail = 'Only a draft validation can be changed: clone it, change the draft, publish it.',
    members?: Members,
    headers?: Headers,
  ) {
    super('validation-not-draft', detail, members, headers);
  }
}

/** 401: a bearer token, signed address or the like is not valid here. */
export class Unauthorized extends Problem {
  constructor(
    detail = 'The credential is missing, expired or not valid for this operation.',
    members?: Members,
    headers?: Headers,
  ) {
    super('unauthorized', detail, members, { 'WWW-Authenticate': 'Bearer', ...headers });
  }
}

/** 401: the tenant's API key is missing or wrong. Says the same for both kinds of wrong: unknown and revoked. */
export class InvalidApiKey extends Problem {
  constructor(detail = 'Send a valid API key in the header X-API-Key.', members?: Members, headers?: Headers) {
    super('invalid-api-key', detail, members, { 'WWW-Authenticate': 'ApiKey header="X-API-Key"', ...headers });
  }
}

/** 403: the credential is valid, but does not permit the operation. The detail names what is missing. */
export class Forbidden extends Problem {
  constructor(detail: string, members?: Members, headers?: Headers) {
    super('forbidden', detail, members, headers);
  }
}

/** 403: operators have suspended the tenant of the credential. */
export class TenantSuspended extends Problem {
  constructor(
    detail = 'This tenant is suspended: no credential of it is accepted. Its owners were notified by mail.',
    members?: Members,
    headers?: Headers,
  ) {
    super('tenant-suspended', detail, members, headers);
  }
}

/** 403: the tenant of the credential is being closed, and this is nothing that goes on until then. */
export class TenantClosing extends Problem {
  constructor(
    detail = 'This tenant is being closed: reading, exporting and finishing what was begun is possible, nothing new. An owner can reconsider.',
    members?: Members,
    headers?: Headers,
  ) {
    super('tenant-closing', detail, members, headers);
  }
}

/** 402: the balance does not cover the operation. */
export class InsufficientCredits extends Problem {
  constructor(
    detail = 'The credit balance does not cover this operation: top it up, then send the same request again.',
    members?: Members,
    headers?: Headers,
  ) {
    super('insufficient-acai', detail, members, headers);
  }
}

/** 404: unknown here, or another tenant's: the same words for both, so that an id reveals nothing. */
export class NotFound extends Problem {
  constructor(detail = 'No such resource.', members?: Members, headers?: Headers) {
    super('not-found', detail, members, headers);
  }
}

/** 404: a member of the request names an object that is unknown here, or another tenant's: the same words for both. */
export class UnknownReference extends NotFound {
  /** @param detail one sentence that says what was looked for; without the value that was sent */
  constructor(pointer: string, detail: string) {
    super(detail, { errors: [{ pointer, code: 'not_found', detail }] satisfies FieldError[] });
  }
}

/** A look-up by a member of the body: its NotFound becomes UnknownReference. */
export async function referenced<T>(pointer: string, detail: string, lookup: Promise<T>): Promise<T> {
  try {
    return await lookup;
  } catch (error) {
    throw error instanceof NotFound ? new UnknownReference(pointer, detail) : error;
  }
}

/** 405: the path exists, this method on it does not. `allowed` becomes the Allow header. */
export class MethodNotAllowed extends Problem {
  constructor(allowed: string[], detail = `This path answers to ${allowed.join(', ')}.`, members?: Members) {
    super('method-not-allowed', detail, members, { Allow: allowed.join(', ') });
  }
}

/** 409: collides with a request that is still running. Answered with Retry-After: 1 by default. */
export class Conflict extends Problem {
  constructor(detail: string, members?: Members, headers?: Headers) {
    super('conflict', detail, members, { 'Retry-After': '1', ...headers });
  }
}

/** 409: the resource's state does not allow the operation. */
export class StateConflict extends Problem {
  constructor(detail: string, members?: Members, headers?: Headers) {
    super('state-conflict', detail, members, headers);
  }
}

/** 409: a value that must be unique is taken. */
export class DuplicateKey extends Problem {
  constructor(detail: string, members?: Members, headers?: Headers) {
    super('duplicate-key', detail, members, headers);
  }
}

/** 413: the body is larger than `detail` allows. */
export class PayloadTooLarge extends Problem {
  constructor(detail: string, members?: Members, headers?: Headers) {
    super('payload-too-large', detail, members, headers);
  }
}

/** 415: the body's content type is not the one that `detail` names. */
export class UnsupportedMediaType extends Problem {
  constructor(detail: string, members?: Members, headers?: Headers) {
    super('unsupported-media-type', detail, members, headers);
  }
}

/** 422: understood, and cannot be carried out. */
export class UnprocessableEntity extends Problem {
  constructor(detail: string, members?: Members, headers?: Headers) {
    super('unprocessable-entity', detail, members, headers);
  }
}

/** 422: the subject was rejected; carries rejection_reason. */
export class KycRejected extends Problem {
  constructor(detail: string, members?: Members, headers?: Headers) {
    super('kyc-rejected', detail, members, headers);
  }
}

/** 429: over a rate limit; Retry-After in seconds. */
export class RateLimitExceeded extends Problem {
  constructor(detail = 'Too many requests: wait until X-RateLimit-Reset.', members?: Members, headers?: Headers) {
    super('rate-limit-exceeded', detail, members, headers);
  }
}

/** 500: unexpected. `cause` is for the log; nothing of it is shown. */
export class InternalError extends Problem {
  constructor(cause?: unknown) {
    super(
      'internal-error',
      'Something went wrong on our side. Quote the request_id when you report it.',
      {},
      {},
      cause,
    );
  }
}

/** 429: the tenant's reads used up the time of the store that they may use. */
export class ReadBudgetExceeded extends Problem {
  constructor(
    detail = 'The reads of this tenant took too much of the store’s time: wait, then ask for less.',
    members?: Members,
    headers?: Headers,
  ) {
    super('read-budget-exceeded', detail, members, headers);
  }
}

/** 503: the store ended a statement that took too long, and would probably do so again. */
export class DatabaseTimeout extends Problem {
  constructor(
    detail = 'The store did not finish in time. Ask for less, for example a shorter period or a narrower filter, or try again later.',
    members?: Members,
    headers?: Headers,
  ) {
    super('database-timeout', detail, members, { 'Retry-After': '30', ...headers });
  }
}

/** 503: Postgres cannot be reached. Retry-After: 2 by default. */
export class DatabaseUnavailable extends Problem {
  constructor(
    detail = 'The store cannot be reached at the moment: try again with exponential backoff.',
    members?: Members,
    headers?: Headers,
    cause?: unknown,
  ) {
    super('database-unavailable', detail, members, { 'Retry-After': '2', ...headers }, cause);
  }
}

/** 503: the payment provider cannot be reached, or does not answer as agreed. Retry-After: 30 by default. */
export class PaymentProviderUnavailable extends Problem {
  constructor(
    detail = 'The payment provider cannot be reached at present: try again with the same Idempotency-Key.',
    members?: Members,
    headers?: Headers,
    cause?: unknown,
  ) {
    super('payment-provider-unavailable', detail, members, { 'Retry-After': '30', ...headers }, cause);
  }
}

/** 503: something that the operation needs (KMS, object store, mail, a provider) cannot be reached. */
export class DependencyUnavailable extends Problem {
  constructor(detail: string, members?: Members, headers?: Headers, cause?: unknown) {
    super('dependency-unavailable', detail, members, { 'Retry-After': '5', ...headers }, cause);
  }
}

/** The errors of OAuth 2 and OpenID4VCI that are no matter of the framework. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'invalid_token'
  | 'invalid_credential_request'
  | 'unknown_credential_configuration'
  | 'unknown_credential_identifier'
  | 'invalid_proof'
  | 'invalid_nonce'
  | 'invalid_encryption_parameters'
  | 'credential_request_denied';

/** 400, or 401 of a bearer token: what a route of OAuth answers with its own code instead of a problem. */
export class OAuthRefused extends Problem {
  constructor(
    readonly code: OAuthErrorCode,
    detail: string,
  ) {
    const challenge: Headers = code === 'invalid_token' ? { 'WWW-Authenticate': `Bearer error="${code}"` } : {};
    super(code === 'invalid_token' ? 'unauthorized' : 'bad-request', detail, {}, challenge);
  }
}
