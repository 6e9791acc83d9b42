export { ApiProblems, ApiPublicProblems, FieldErrorView, ProblemView } from './api-problems.ts';
export { createHttpApp } from './create-http-app.ts';
export type { HttpOptions } from './http-options.ts';
export { HttpConfig } from './http-config.ts';
export { openapiFile } from './openapi-file.ts';
export { rateLimiterOf } from './rate-limiter-of.ts';
export { runApp } from './run-app.ts';
export { serve } from './serve.ts';
export {
  AllowBearerToken,
  AllowRecoveryToken,
  HumanPage,
  JsonBodyLimit,
  Public,
  SecretPath,
} from './route-decorators.ts';
export { BearerToken, ClientIp, CurrentTenant, IdempotencyKey, RequestId } from './request-decorators.ts';
export { Idempotent } from './idempotency-key.ts';
export { RawPdfBody } from './raw-pdf-body.ts';
export { RequestPipe, checked } from './validation/request-pipe.ts';
export { pointerTo } from './validation/pointer.ts';
export { PageQuery, cursorKeys, page } from './page.ts';
export type { Page } from './page.ts';
export type { Authenticator, Credentials, Tenant } from './tenant.ts';
export type { RateDecision, RateLimiter, RatePolicy, RateSubject } from './rate-limits.ts';
