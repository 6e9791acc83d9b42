import type { RateDecision, RateLimitStore } from '@constancia/rate-limit';

export type { RateDecision } from '@constancia/rate-limit';

/** The part of a limiter that admission needs. Never rejects. */
export type RateLimiter = Pick<RateLimitStore, 'take' | 'charge' | 'giveBack'> & {
  /** What a key that is over its limit is answered from memory; undefined when its store must be asked. */
  refusedFromMemory?(key: string, limit: number): RateDecision | undefined;
};

/** Whom a limit counts: an IP address, a tenant, both, the key or member, the bearer token of the request, or the value of a path parameter. */
export type RateSubject = 'ip' | 'tenant' | 'tenant-and-ip' | 'principal' | 'bearer' | { parameter: string };

/** A limit of its own for some routes, beside the general one. */
export interface RatePolicy {
  /** Shown in RateLimit-Policy and in metrics: lower-case letters and hyphens. */
  name: string;
  method: string;
  /** A route pattern as Nest knows it: `/tenants/:id/api-key-recovery`. One `*` at the end means everything below. */
  path: string;
  limit: number;
  windowSeconds: number;
  by: RateSubject;
  /** The general limit does not count these requests: they come from few addresses, on behalf of many. */
  replacesGeneral?: boolean;
}

/** The published general limits. */
export const MINUTE = 60;

/** A limit, with the texts that its headers need. */
export interface Limit {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** `"default";q=120;w=60`, as in RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers). */
  readonly policy: string;
  readonly by: RateSubject;
  /** Of a route whose requests the general limit does not count. */
  readonly replacesGeneral?: boolean;
}

export function limitOf(name: string, limit: number, windowSeconds: number, by: RateSubject): Limit {
  return { name, limit, windowSeconds, by, policy: `"${name}";q=${limit};w=${windowSeconds}` };
}

/** The special limits of one route. */
export function policiesFor(policies: readonly RatePolicy[], method: string, pattern: string): Limit[] {
  return policies
    .filter((policy) => policy.method === method && covers(policy.path, pattern))
    .map((policy) => ({
      ...limitOf(policy.name, policy.limit, policy.windowSeconds, policy.by),
      replacesGeneral: policy.replacesGeneral ?? false,
    }));
}

function covers(path: string, pattern: string): boolean {
  return path.endsWith('*') ? pattern.startsWith(path.slice(0, -1)) : path === pattern;
}
