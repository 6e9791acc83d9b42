import { createHash } from 'node:crypto';
import { RateLimitExceeded } from '@constancia/problem-json';
import { LRUCache } from 'lru-cache';

/** What an identification needs from the limiter: a token for a wrong credential, and the way to give it back. */
export interface Attempts {
  /** Takes one and shows it on the answer; rejects with RateLimitExceeded when there is none left. */
  take(): Promise<void>;
  giveBack(): Promise<void>;
}

/** One presented credential: its text, how its holder is looked up, and the tokens of the request that presents it. */
export interface Presented<Who> {
  credential: string;
  /** Null: unknown. Rejects only when the store is unavailable. */
  lookUp: () => Promise<Who | null>;
  attempts: Attempts;
  /** Requests with the same one share a look-up; left out: each looks for itself. */
  flight?: string;
}

/** What those who join a look-up learn of it. A refusal is a matter of the one request's own tokens. */
type Outcome<Who> = Who | null | 'refused';

const KNOWN_CREDENTIALS = 10_000;
const KNOWN_FOR_MS = 60 * 60_000;

/**
 * Finds whom a credential stands for. Every attempt costs a token BEFORE the look-up, so that guessing is bounded whatever the
 * store does, and a right credential gets it back. Two things keep right ones from running out of tokens: requests that come
 * together with one may share one look-up, and one that was right within the last hour is looked up without a token, being no guess.
 */
export class Identification<Who extends object> {
  private readonly underWay = new Map<string, Promise<Outcome<Who>>>();
  private readonly known = new LRUCache<string, true>({ max: KNOWN_CREDENTIALS, ttl: KNOWN_FOR_MS });

  /** Null for a wrong credential. Rejects with RateLimitExceeded, or with what the look-up rejected with. */
  async identify(presented: Presented<Who>): Promise<Who | null> {
    const { flight } = presented;
    if (flight === undefined) return this.lookUp(presented);
    const shared = this.underWay.get(flight);
    if (shared !== undefined) return this.joined(shared, presented);
    const own = this.lookUp(presented);
    const outcome: Promise<Outcome<Who>> = own.catch(refused);
    outcome.catch(() => {}); // nobody may have joined
    this.underWay.set(flight, outcome);
    try {
      return await own;
    } finally {
      this.underWay.delete(flight);
    }
  }

  private async joined(shared: Promise<Outcome<Who>>, presented: Presented<Who>): Promise<Who | null> {
    const outcome = await shared;
    if (outcome === 'refused') return this.lookUp(presented);
    if (outcome === null) await presented.attempts.take();
    return outcome;
  }

  private async lookUp({ credential, lookUp, attempts }: Presented<Who>): Promise<Who | null> {
    const digest = createHash('sha256').update(credential).digest('base64');
    const wasRight = this.known.has(digest);
    if (!wasRight) await attempts.take();
    let who: Who | null;
    try {
      who = await lookUp();
    } catch (error) {
      if (!wasRight) await attempts.giveBack(); // the store is unavailable: not the caller's doing
      throw error;
    }
    if (who === null) {
      this.known.delete(digest);
      if (wasRight) await attempts.take();
      return null;
    }
    this.known.set(digest, true);
    if (!wasRight) await attempts.giveBack();
    return who;
  }
}

function refused(error: unknown): 'refused' {
  if (error instanceof RateLimitExceeded) return 'refused';
  throw error;
}
