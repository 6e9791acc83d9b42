export { Problem, PROBLEM_LIMITS, problemDocument } from './problem.ts';
export type { ProblemContext } from './problem.ts';
export {
  BadRequest,
  Conflict,
  DatabaseUnavailable,
  DependencyUnavailable,
  DuplicateKey,
  InsufficientCredits,
  InternalError,
  InvalidApiKey,
  KycRejected,
  MethodNotAllowed,
  NotFound,
  PayloadTooLarge,
  RateLimitExceeded,
  StateConflict,
  Unauthorized,
  UnprocessableEntity,
  UnsupportedMediaType,
  ValidationError,
  ValidationNotDraft,
} from './problems.ts';
export type { FieldError } from './problems.ts';
