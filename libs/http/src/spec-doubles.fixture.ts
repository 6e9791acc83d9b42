import { DatabaseUnavailable } from '@constancia/problem-json';
import { SCOPES } from '@constancia/contracts';
import type {
  Authenticator,
  CredentialHolder,
  PathCredentials,
  PresentedCredential,
  Principal,
  RateDecision,
  RateLimiter,
  Tenant,
} from './index.ts';

/** What stands in for the stores of limits and credentials in the specs of this library. */

export const KEY = 'test_right';

export const TENANT: Tenant = {
  id: '01900000-0000-7000-8000-000000000001',
  slug: 'acme',
  displayName: 'Acme',
  plan: 'sandbox',
  environment: 'sandbox',
  standing: 'active',
};

export const PRINCIPAL: Principal = {
  kind: 'key',
  id: '01900000-0000-7000-8000-000000000002',
  name: 'default',
  prefix: 'test_righ',
  tenant: TENANT,
  scopes: new Set(SCOPES),
  inGrace: false,
};

/** A limiter that counts in fixed windows, by hand. */
export class CountingLimiter implements RateLimiter {
  readonly used = new Map<string, number>();

  take(key: string, limit: number, windowSeconds: number): Promise<RateDecision> {
    const used = (this.used.get(key) ?? 0) + 1;
    const allowed = used <= limit;
    if (allowed) this.used.set(key, used);
    const resetAtSeconds = Math.floor(Date.now() / 1000) + windowSeconds;
    return Promise.resolve({
      allowed,
      limit,
      remaining: Math.max(0, limit - used),
      resetAtSeconds,
      retryAfterSeconds: allowed ? 0 : windowSeconds,
    });
  }

  charge(key: string, tokens: number, limit: number, windowSeconds: number): Promise<RateDecision> {
    this.used.set(key, (this.used.get(key) ?? 0) + tokens - 1);
    return this.take(key, limit, windowSeconds);
  }

  giveBack(key: string): Promise<void> {
    this.used.set(key, (this.used.get(key) ?? 1) - 1);
    return Promise.resolve();
  }
}

/** Knows one key, and what is put in for other credentials. `lookups` counts how often it had to look one up; `known` is its cache. */
export class OneKey implements Authenticator {
  lookups = 0;
  known = new Set<string>();
  storeAway = false;
  readonly principals = new Map<string, Principal>([[`key ${KEY}`, PRINCIPAL]]);

  cached({ text }: PresentedCredential): Principal | undefined {
    return this.known.has(text) ? PRINCIPAL : undefined;
  }

  resolve({ kind, text }: PresentedCredential): Promise<Principal | null> {
    this.lookups++;
    if (this.storeAway) return Promise.reject(new DatabaseUnavailable());
    return Promise.resolve(this.principals.get(`${kind} ${text}`) ?? null);
  }
}

/** Knows the links that tests put in. */
export class Links implements PathCredentials {
  readonly known = new Map<string, CredentialHolder>();
  lookups = 0;
  storeAway = false;

  find(secret: string): Promise<CredentialHolder | null> {
    this.lookups++;
    if (this.storeAway) return Promise.reject(new DatabaseUnavailable());
    return Promise.resolve(this.known.get(secret) ?? null);
  }
}
