import { backoffMs, endsWithin } from '@constancia/kernel';
import { connectRedis, pingMasters, type RedisClient } from '@constancia/redis';
import { decision, type RateDecision, type RateLimitStore } from './store.ts';
import { CHARGE, GIVE_BACK, TAKE } from './take.lua.ts';

const PREFIX = 'rate:';

interface LimiterCommands {
  rateTake(key: string, window: number, limit: number): Promise<[number, number, number]>;
  rateCharge(key: string, window: number, limit: number, tokens: number): Promise<[number, number, number]>;
  rateGiveBack(key: string, window: number): Promise<number>;
}

/**
 * Sliding window shared by all processes through Redis, one script call per take, timed by the server's clock.
 *
 * Every script takes one key, so that a cluster needs no hash tags: the limits of a busy tenant lie on all of its nodes.
 *
 * Throws when Redis is unavailable or does not answer within `commandTimeoutMs` (default 100): RateLimiter falls back then. A take
 * that timed out is not sent again.
 */
export class RedisRateLimitStore implements RateLimitStore {
  private readonly redis: RedisClient & LimiterCommands;
  private readonly commandTimeoutMs: number;

  constructor(options: { url: string; commandTimeoutMs?: number }) {
    this.commandTimeoutMs = options.commandTimeoutMs ?? 100;
    this.redis = connectRedis(options.url, {
      connectTimeout: 2_000,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      // The first take on a node waits for its connection; one on a node that is gone fails at once.
      inCluster: { enableOfflineQueue: true, retryDelayOnFailover: 0 },
      retryStrategy: (attempt) => backoffMs(attempt, { firstMs: 100, longestMs: 1_000 }),
      scripts: {
        rateTake: { lua: TAKE, numberOfKeys: 1 },
        rateCharge: { lua: CHARGE, numberOfKeys: 1 },
        rateGiveBack: { lua: GIVE_BACK, numberOfKeys: 1 },
      },
    }) as RedisClient & LimiterCommands;
    this.redis.on('error', () => undefined); // every command reports its own failure
  }

  /** Whether the connection is up. */
  get connected(): boolean {
    return this.redis.status === 'ready';
  }

  /**
   * Resolves true once the connection is up, to every master of a cluster, false when it failed or is not up after `timeoutMs`: the first
   * take on a node has no connection to wait for.
   */
  async connects(timeoutMs: number): Promise<boolean> {
    const pinged = this.opens(timeoutMs).then(async (open) => {
      if (!open) throw new Error('Redis is not there');
      await pingMasters(this.redis, (ping) => ping);
    });
    return endsWithin(timeoutMs, pinged).catch(() => false);
  }

  private opens(timeoutMs: number): Promise<boolean> {
    if (this.connected) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = () => {
        clearTimeout(timer);
        this.redis.off('ready', settle).off('close', settle);
        resolve(this.connected);
      };
      const timer = setTimeout(settle, timeoutMs);
      this.redis.on('ready', settle).on('close', settle);
    });
  }

  async take(key: string, limit: number, windowSeconds: number): Promise<RateDecision> {
    const [allowed, used, resetInMicros] = await this.inTime(
      this.redis.rateTake(PREFIX + key, Math.round(windowSeconds * 1e6), limit),
    );
    return decision(allowed === 1, limit, used, resetInMicros / 1000, Date.now());
  }

  async charge(key: string, tokens: number, limit: number, windowSeconds: number): Promise<RateDecision> {
    const [allowed, used, resetInMicros] = await this.inTime(
      this.redis.rateCharge(PREFIX + key, Math.round(windowSeconds * 1e6), limit, tokens),
    );
    return decision(allowed === 1, limit, used, resetInMicros / 1000, Date.now());
  }

  async giveBack(key: string, windowSeconds: number): Promise<void> {
    await this.inTime(this.redis.rateGiveBack(PREFIX + key, Math.round(windowSeconds * 1e6)));
  }

  /** Throws when Redis, or a master of the cluster, does not answer in time. */
  async ping(): Promise<void> {
    await pingMasters(this.redis, (ping) => this.inTime(ping));
  }

  async close(): Promise<void> {
    this.redis.disconnect();
  }

  /**
   * Bounds the wait for an answer. When this process itself was too busy to look, the answer may lie in the socket: it is read
   * once more before the command counts as late.
   */
  private inTime<T>(command: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`Redis did not answer within ${this.commandTimeoutMs} ms`));
      const timer = setTimeout(() => setImmediate(() => setImmediate(late)), this.commandTimeoutMs);
      command.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}
