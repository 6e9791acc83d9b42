import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from './request-state.ts';

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<Request>();

/** The Principal that makes the request. Undefined only on public routes and where another bearer token was presented (AllowBearerToken). */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return requestOf(context).constancia.principal;
});

/** The Tenant of the principal; undefined as CurrentPrincipal is. */
export const CurrentTenant = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return requestOf(context).constancia.principal?.tenant;
});

/** The PersonPrincipal that makes the request, on routes with RequirePerson. */
export const CurrentPerson = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return requestOf(context).constancia.person;
});

/** The request's id, as in X-Request-Id. */
export const RequestId = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context).id);

/** The caller's IP address, seen through the trusted proxies only. */
export const ClientIp = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return requestOf(context).constancia.clientIp;
});

/** The bearer token on routes that allow one and check it themselves, undefined when the API key was used. */
export const BearerToken = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return requestOf(context).constancia.bearerToken;
});

/** The Idempotency-Key (lower-case UUID) of an `@Idempotent()` route; undefined when none was sent. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext) => {
  return requestOf(context).constancia.idempotencyKey;
});

/**
 * What the check of a credential other than an API key found: of the path (PathCredential; undefined for a wrong one: answer 404), of the
 * bearer token (HttpOptions.bearers; undefined when the API key was used), of the signed address (SignedAddress).
 */
export const Holder = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { holder, grant } = requestOf(context).constancia;
  return holder ?? grant;
});

/** The API key of the request, as it was sent: for work that must know which secret of a key was presented. */
export const PresentedApiKey = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const key = requestOf(context).headers['x-api-key'];
  return typeof key === 'string' ? key : undefined;
});
