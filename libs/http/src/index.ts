export { actingOf, actorOf, ApiActor } from './request/actor.ts';
export { contentDisposition } from './answers/content-disposition.ts';
export { FILE_NAME_HEADER } from './request/file-name-header.ts';
export { ApiIfMatch, contentEtag, ETAG_HEADER, ifMatches, requireMatch } from './request/if-match.ts';
export type { ConditionalHeaders } from './request/if-match.ts';
export {
  ApiProblems,
  ApiPublicProblems,
  BODY_PROBLEMS,
  FieldErrorView,
  problemExample,
  ProblemView,
} from './answers/api-problems.ts';
export { createHttpApp } from './server/create-http-app.ts';
export type { DocumentPage } from './pages/document-pages.ts';
export { problemOf } from './answers/domain-errors.ts';
export { HttpOptions } from './http-options.ts';
export { HttpConfig } from './http-config.ts';
export { openapiFile } from './pages/openapi-file.ts';
export { RateLimitModule } from './admission/rate-limit.module.ts';
export { RequestsUnderWay } from './server/requests-under-way.ts';
export { runApp } from './server/run-app.ts';
export { listenForOperators, listenForPages, serve } from './server/serve.ts';
export { cookieNamed, isSameOrigin, needsTls } from './pages/same-origin.ts';
export { OwnPageOnly } from './pages/own-page-only.ts';
export { PageFiles } from './pages/page-files.ts';
export { sendPageFile } from './pages/page-host.ts';
export type { PageHost, PageHosts } from './pages/page-host.ts';
export {
  AllowBearerToken,
  AllowInGrace,
  AllowRecoveryToken,
  AlsoOnPageHost,
  AnyScope,
  AppPage,
  BearerCredential,
  FormBody,
  IgnoreBody,
  JsonBodyLimit,
  MayBeStale,
  OAuthAnswers,
  OnPageHost,
  OwnersOnly,
  PathCredential,
  Public,
  RequireEveryScope,
  RequirePerson,
  RequireScope,
  SecretPath,
  SignedAddress,
  WhileClosing,
} from './routes/route-decorators.ts';
export {
  BearerToken,
  ClientIp,
  CurrentPerson,
  CurrentPrincipal,
  CurrentTenant,
  Holder,
  IdempotencyKey,
  PresentedApiKey,
  RequestId,
} from './request/request-decorators.ts';
export { Idempotent } from './validation/idempotency-key.ts';
export { REPLAYED_HEADER, sendStored } from './answers/stored-answer.ts';
export { matchesETag } from './answers/entity-tag.ts';
export { logoFile, LogoHeaders, PNG } from './answers/logo-file.ts';
export { pageLanguage, type PageLanguage } from './pages/problem-texts.ts';
export { preferredType } from './answers/preferred-type.ts';
export { RequestLog } from './answers/request-log.ts';
export { bodyTooLarge } from './body/body-collector.ts';
export { parseJsonBody } from './body/json-body.ts';
export { RawBody, StreamedBody } from './body/raw-body.ts';
export { RawPdfBody } from './body/raw-pdf-body.ts';
export { checked } from './validation/request-pipe.ts';
export { beginOf, endOf, IsDay, IsInstant } from './validation/instant.ts';
export { periodOf } from './validation/period.ts';
export type { Period } from './validation/period.ts';
export { ApiOptional } from './validation/optional.ts';
export { isExactOrigin, ORIGIN_LENGTH, requireRegistered } from './validation/exact-origin.ts';
export type { GivenOrigin } from './validation/exact-origin.ts';
export { pathUuid } from './validation/path-uuid.ts';
export { IsMailedText, mailedTextProblem } from './validation/mailed-text.ts';
export { IsMetadata, METADATA, METADATA_IN_QUERY_BYTES, metadataInQuery } from './validation/metadata.ts';
export { EXTERNAL_REF_LENGTH, ExternalRef, Metadata, OwnReferenceView } from './validation/own-reference.ts';
export { Trimmed } from './validation/trimmed.ts';
export { bearerToken } from './admission/bearer-token.ts';
export { overOwnLimit } from './admission/own-limit.ts';
export { stillUnderWay } from './admission/still-under-way.ts';
export { pointerTo } from './validation/pointer.ts';
export {
  OrderedPageQuery,
  PageQuery,
  afterNumber,
  beforeId,
  cursorKeys,
  keysOfCursor,
  page,
  PageOf,
} from './validation/page.ts';
export type { AskedAddress } from './request/signed-address.ts';
export type { PersonPrincipal } from './request/person.ts';
export type { Authenticator, PresentedCredential, Principal, Tenant } from './request/principal.ts';
export type { CredentialHolder, PathCredentials, PathRequest } from './request/credential-holder.ts';
export { mounted } from './routes/mounted.ts';
export { marksOf } from './routes/route-facts.ts';
export type { RawRoute } from './routes/raw-routes.ts';
export type { RouteMarks } from './routes/route-facts.ts';
export { hostOf } from './routes/hosts.ts';
export type { RateDecision, RateLimiter, RatePolicy } from './admission/rate-limits.ts';
export { namedTenant, TenantQuery, tenantNamed } from './ops/named-tenant.ts';
export type { NamedTenant } from './ops/named-tenant.ts';
export { answer, OpsAnswer, TIMELINE } from './ops/ops-answers.ts';
export { Caller, OpsController, OpsOperation } from './ops/ops-controller.ts';
export { OpsModule } from './ops/ops-index.ts';
export { IsLine, NoQuery, OpsPageQuery, ReasonBody } from './ops/ops-requests.ts';
