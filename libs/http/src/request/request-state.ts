import type { FieldError } from '@constancia/problem-json';
import type { RequestSpan } from '@constancia/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RouteFacts } from '../routes/route-facts.ts';
import type { Principal } from './principal.ts';
import type { PersonPrincipal } from './person.ts';
import type { AddressGrant, CredentialHolder } from './credential-holder.ts';

/** What the hooks learn about a request, kept on it under one name. */
export interface RequestState {
  readonly route: RouteFacts;
  readonly startedAt: number;
  readonly clientIp: string;
  /** Who makes the request, by an API key or a member token. */
  principal: Principal | undefined;
  /** The person who is signed in, on routes of persons. */
  person: PersonPrincipal | undefined;
  /** Whom a credential other than an API key stands for: one in the path (undefined: a wrong one), a bearer token. */
  holder: CredentialHolder | undefined;
  /** What the signed address of the request allows. */
  grant: AddressGrant | undefined;
  /** The bearer token, on routes that accept one and check it themselves, when no API key was sent. */
  bearerToken: string | undefined;
  idempotencyKey: string | undefined;
  /** When what was read from a replica was the state of the store (performance.now()). */
  readAsOf: number | undefined;
  /** What is wrong with headers: reported together with what is wrong with the body (RefuseHeaders). */
  headerErrors: readonly FieldError[];
  /** The answer is out and written to the log. */
  answered: boolean;
  /** The span of the request, when tracing is on. */
  span: RequestSpan | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    constancia: RequestState;
  }
  interface FastifyContextConfig {
    constancia?: import('../routes/route-facts.ts').RouteMarks;
    /** Of a registered route: what is decided about it once, at start. */
    facts?: RouteFacts;
  }
}

export type Request = FastifyRequest;
export type Reply = FastifyReply;

/** UUID of the tenant that a request is made for, by its principal, the holder of its other credential, or its signed address. */
export function tenantIdOf({ principal, holder, grant }: RequestState): string | undefined {
  return principal?.tenant.id ?? (holder ?? grant)?.tenantId;
}
