import { createHash } from 'node:crypto';
import { InvalidApiKey, RateLimitExceeded } from '@constancia/problem-json';
import { LRUCache } from 'lru-cache';
import type { Request } from './request-state.ts';
import type { Authenticator, Tenant } from './tenant.ts';

/** What an identification needs from the limiter: a token for a wrong key, and the way to give it back. */
export interface Attempts {
  /** Takes one and shows it on the answer; rejects with RateLimitExceeded when there is none left. */
  take(): Promise<void>;
  giveBack(): Promise<void>;
}

/** What those who join a look-up learn of it. A refusal is a matter of the one request's own tokens. */
type Outcome = Tenant | 'wrong' | 'refused';

const KNOWN_KEYS = 10_000;
const KNOWN_FOR_MS = 60 * 60_000;

/**
 * Finds the tenant of an API key. Every attempt costs a token BEFORE the look-up, so that guessing is bounded whatever the store
 * does, and a right key gets it back. Two things keep right keys from running out of tokens: requests that come together with
 * one key share one look-up, and a key that was right within the last hour is looked up without a token, being no guess.
 */
export class Identification {
  private readonly authenticator: Authenticator;
  private readonly underWay = new Map<string, Promise<Outcome>>();
  private readonly known = new LRUCache<string, true>({ max: KNOWN_KEYS, ttl: KNOWN_FOR_MS });

  constructor(authenticator: Authenticator) {
    this.authenticator = authenticator;
  }

  /** The tenant of the request's key. Rejects with InvalidApiKey, RateLimitExceeded, or what the store rejected with. */
  async identify(key: string, request: Request, attempts: Attempts): Promise<Tenant> {
    const flight = `${request.constancia.clientIp}\n${key}`;
    const shared = this.underWay.get(flight);
    if (shared !== undefined) return this.joined(shared, key, request, attempts);
    const own = this.lookUp(key, request, attempts);
    const outcome = own.catch(wrongOrRefused);
    outcome.catch(() => {}); // nobody may have joined
    this.underWay.set(flight, outcome);
    try {
      return await own;
    } finally {
      this.underWay.delete(flight);
    }
  }

  private async joined(shared: Promise<Outcome>, key: string, request: Request, attempts: Attempts): Promise<Tenant> {
    const outcome = await shared;
    if (outcome === 'refused') return this.lookUp(key, request, attempts);
    if (outcome !== 'wrong') return outcome;
    await attempts.take();
    throw new InvalidApiKey();
  }

  private async lookUp(key: string, request: Request, attempts: Attempts): Promise<Tenant> {
    const digest = createHash('sha256').update(key).digest('base64');
    const wasRight = this.known.has(digest);
    if (!wasRight) await attempts.take();
    let tenant: Tenant | null;
    try {
      tenant = await this.authenticator.authenticate(request);
    } catch (error) {
      if (!wasRight) await attempts.giveBack(); // the store is away: not the caller's doing
      throw error;
    }
    if (tenant === null) {
      this.known.delete(digest);
      if (wasRight) await attempts.take();
      throw new InvalidApiKey();
    }
    this.known.set(digest, true);
    if (!wasRight) await attempts.giveBack();
    return tenant;
  }
}

function wrongOrRefused(error: unknown): 'wrong' | 'refused' {
  if (error instanceof InvalidApiKey) return 'wrong';
  if (error instanceof RateLimitExceeded) return 'refused';
  throw error;
}
