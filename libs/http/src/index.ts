export { actorOf, ApiActor } from './actor.ts';
export { FILE_NAME_HEADER } from './file-name-header.ts';
export { ApiProblems, ApiPublicProblems, FieldErrorView, problemExample, ProblemView } from './api-problems.ts';
export { createHttpApp } from './create-http-app.ts';
export type { DocumentPage } from './document-pages.ts';
export { HttpOptions } from './http-options.ts';
export { HttpConfig } from './http-config.ts';
export { openapiFile } from './openapi-file.ts';
export { RateLimitModule } from './rate-limit.module.ts';
export { rateLimiterOf } from './rate-limiter-of.ts';
export { runApp } from './run-app.ts';
export { listenForOperators, listenForPages, serve } from './serve.ts';
export type { PageHost } from './page-host.ts';
export {
  AllowBearerToken,
  AllowRecoveryToken,
  AlsoOnPageHost,
  JsonBodyLimit,
  PathCredential,
  Public,
  SecretPath,
  SignedAddress,
} from './route-decorators.ts';
export {
  AddressGrant,
  Bearer,
  BearerToken,
  ClientIp,
  CurrentTenant,
  IdempotencyKey,
  PathHolder,
  RequestId,
} from './request-decorators.ts';
export { Idempotent } from './idempotency-key.ts';
export { REPLAYED_HEADER, sendStored } from './stored-answer.ts';
export { RawBody } from './raw-body.ts';
export { RawPdfBody } from './raw-pdf-body.ts';
export { RequestPipe, checked } from './validation/request-pipe.ts';
export { beginOf, endOf, IsInstant } from './validation/instant.ts';
export type { DayZone } from './validation/instant.ts';
export { IsMailedText, mailedTextProblem } from './validation/mailed-text.ts';
export { overOwnLimit, type OwnLimit } from './own-limit.ts';
export { pointerTo } from './validation/pointer.ts';
export { OrderedPageQuery, PageQuery, afterNumber, beforeId, cursorKeys, keysOfCursor, page } from './page.ts';
export type { Page } from './page.ts';
export type { AskedAddress } from './signed-address.ts';
export type {
  Authenticator,
  CredentialHolder,
  Credentials,
  HolderLookup,
  PathCredentials,
  PathRequest,
  Tenant,
} from './tenant.ts';
export { hostOf } from './hosts.ts';
export type { RateDecision, RateLimiter, RatePolicy, RateSubject } from './rate-limits.ts';
export { answer, OpsAnswer, TIMELINE } from './ops/ops-answers.ts';
export type { AnswerSchema } from './ops/ops-answers.ts';
export { Caller, OpsController, OpsOperation } from './ops/ops-controller.ts';
export { OpsModule } from './ops/ops-index.ts';
export { IsLine, NoQuery, OpsPageQuery, ReasonBody } from './ops/ops-requests.ts';
