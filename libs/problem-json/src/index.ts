export { Problem, PROBLEM_LIMITS, problemDocument } from './problem.ts';
export type { ProblemContext } from './problem.ts';
export {
  BadRequest,
  Conflict,
  DatabaseUnavailable,
  DependencyUnavailable,
  DuplicateKey,
  Forbidden,
  InsufficientCredits,
  InternalError,
  InvalidApiKey,
  KycRejected,
  MethodNotAllowed,
  NotFound,
  PaymentProviderUnavailable,
  PayloadTooLarge,
  referenced,
  RateLimitExceeded,
  StateConflict,
  TenantSuspended,
  Unauthorized,
  UnknownReference,
  UnprocessableEntity,
  UnsupportedMediaType,
  ValidationError,
  ValidationNotDraft,
} from './problems.ts';
export type { FieldError } from './problems.ts';
