import { retry, sleep } from '@constancia/kernel';
import { LRUCache } from 'lru-cache';
import { MemoryRateLimitStore } from './memory-store.ts';
import { RedisRateLimitStore } from './redis-store.ts';
import { CLOCK_SLACK_MS, type RateDecision, type RateLimitStore } from './store.ts';

export interface RateLimiterOptions {
  /** redis:// address; without it this process counts alone. */
  redisUrl?: string;
  /** How long a take may wait for Redis before this process decides by itself; default 100. */
  commandTimeoutMs?: number;
  /** How often an unreachable Redis is tried again, in the background; default 500. */
  probeEveryMs?: number;
  /** Called once when Redis is lost and once when it is back. */
  onChange?: (degraded: boolean) => void;
}

interface Block {
  /** performance.now() of the reset. */
  untilMs: number;
  decision: RateDecision;
}

const MAX_BLOCKS = 50_000;
const CONNECT_TIMEOUT_MS = 1_000;

/**
 * The limiter of a process: Redis where there is one, so that all processes share a limit, and the memory of this process
 * whenever Redis is unavailable or slow. Never throws.
 *
 * A key over its limit is refused from memory until its reset: a flood costs no Redis call. What Redis allows is noted in
 * memory too, so that losing Redis does not hand out a second allowance.
 */
export class RateLimiter implements RateLimitStore {
  private readonly memory = new MemoryRateLimitStore();
  private readonly redis: RedisRateLimitStore | undefined;
  private readonly blocks = new LRUCache<string, Block>({ max: MAX_BLOCKS });
  private readonly probeEveryMs: number;
  private readonly onChange: (degraded: boolean) => void;
  private circuitOpen = false;
  private readonly stop = new AbortController();
  private starting: Promise<unknown> | undefined;

  constructor(options: RateLimiterOptions = {}) {
    this.probeEveryMs = options.probeEveryMs ?? 500;
    this.onChange = options.onChange ?? (() => undefined);
    if (!options.redisUrl) return;
    this.redis = new RedisRateLimitStore({ url: options.redisUrl, commandTimeoutMs: options.commandTimeoutMs });
    // The very first requests wait a moment for the connection rather than count alone.
    this.starting = this.redis.connects(CONNECT_TIMEOUT_MS).then((up) => {
      this.starting = undefined;
      if (!up) this.open();
    });
  }

  /** 1 while a configured Redis is not used because it is unavailable or slow, else 0: for a gauge. */
  degraded(): 0 | 1 {
    return this.circuitOpen ? 1 : 0;
  }

  take(key: string, limit: number, windowSeconds: number): RateDecision | Promise<RateDecision> {
    const refused = this.refusedFromMemory(key, limit);
    if (refused) return refused;
    if (!this.redis || this.circuitOpen) return this.memory.take(key, limit, windowSeconds);
    return this.takeShared(key, limit, windowSeconds);
  }

  private async takeShared(key: string, limit: number, windowSeconds: number): Promise<RateDecision> {
    await this.starting;
    const shared = await this.attempt((redis) => redis.take(key, limit, windowSeconds));
    if (!shared) return this.memory.take(key, limit, windowSeconds);
    if (shared.allowed) this.memory.record(key, limit, windowSeconds);
    else this.block(key, shared);
    return shared;
  }

  /** What a key that is over its limit is answered without a call; undefined when its tokens must be counted. */
  refusedFromMemory(key: string, limit: number): RateDecision | undefined {
    const block = this.blocks.get(key);
    if (block === undefined) return undefined;
    if (performance.now() < block.untilMs && block.decision.limit === limit) return refreshed(block.decision);
    this.blocks.delete(key);
    return undefined;
  }

  async charge(key: string, tokens: number, limit: number, windowSeconds: number): Promise<RateDecision> {
    const own = await this.memory.charge(key, tokens, limit, windowSeconds);
    await this.starting;
    const decided = (await this.attempt((redis) => redis.charge(key, tokens, limit, windowSeconds))) ?? own;
    if (!decided.allowed) this.block(key, decided);
    return decided;
  }

  async giveBack(key: string, windowSeconds: number): Promise<void> {
    this.blocks.delete(key);
    await this.memory.giveBack(key, windowSeconds);
    await this.attempt((redis) => redis.giveBack(key, windowSeconds));
  }

  async close(): Promise<void> {
    this.stop.abort();
    await Promise.all([this.memory.close(), this.redis?.close()]);
  }

  private block(key: string, decision: RateDecision): void {
    const untilMs = performance.now() + decision.resetAtSeconds * 1000 - Date.now() - CLOCK_SLACK_MS;
    this.blocks.set(key, { untilMs, decision });
  }

  /** Runs a call on Redis; undefined when there is none or it failed, which opens the circuit. */
  private async attempt<T>(call: (redis: RedisRateLimitStore) => Promise<T>): Promise<T | undefined> {
    if (!this.redis || this.circuitOpen || this.stop.signal.aborted) return undefined;
    try {
      return await call(this.redis);
    } catch {
      this.open();
      return undefined;
    }
  }

  private open(): void {
    if (this.circuitOpen || this.stop.signal.aborted) return;
    this.circuitOpen = true;
    this.onChange(true);
    this.closeAgain().catch(() => undefined); // rejects only when the limiter is closed
  }

  /** Uses Redis again as soon as it answers. */
  private async closeAgain(): Promise<void> {
    const { signal } = this.stop;
    await sleep(this.probeEveryMs, signal);
    await retry(async () => this.redis?.ping(), { pauseMs: () => this.probeEveryMs, signal });
    if (signal.aborted) return;
    this.circuitOpen = false;
    this.onChange(false);
  }
}

function refreshed(decision: RateDecision): RateDecision {
  return { ...decision, retryAfterSeconds: Math.max(1, decision.resetAtSeconds - Math.floor(Date.now() / 1000)) };
}
