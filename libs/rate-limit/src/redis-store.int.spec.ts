import { NO_REDIS, redisInstalled, startRedis, type TestRedis } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RateLimiter } from './rate-limiter.ts';
import { RedisRateLimitStore } from './redis-store.ts';
import { storeConformance } from './store-conformance.fixture.ts';

describe.skipIf(!redisInstalled)(redisInstalled ? 'with a Redis' : NO_REDIS, () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.kill());

  const connect = async () => {
    const store = new RedisRateLimitStore({ url: server.url, commandTimeoutMs: 5_000 });
    expect(await store.connects(5_000)).toBe(true);
    return store;
  };

  storeConformance('redis', connect);

  it('shares one limit between processes', async () => {
    const stores = [await connect(), await connect(), await connect(), await connect()];
    const all = await Promise.all(
      Array.from({ length: 1_000 }, (_, i) => (stores[i % 4] as RedisRateLimitStore).take('shared', 120, 60)),
    );
    expect(all.filter(({ allowed }) => allowed)).toHaveLength(120);
    for (const store of stores) await store.close();
  });

  it('shares one limit between limiters too, from their first request on', async () => {
    const limiters = [
      new RateLimiter({ redisUrl: server.url, commandTimeoutMs: 2_000 }),
      new RateLimiter({ redisUrl: server.url, commandTimeoutMs: 2_000 }),
    ];
    const all = await Promise.all(
      Array.from({ length: 400 }, (_, i) => (limiters[i % 2] as RateLimiter).take('both', 120, 60)),
    );
    expect(limiters.map((limiter) => limiter.degraded())).toEqual([0, 0]);
    expect(all.filter(({ allowed }) => allowed)).toHaveLength(120);
    for (const limiter of limiters) await limiter.close();
  });

  it('leaves nothing behind: lists expire by themselves', async () => {
    const { Redis } = await import('ioredis');
    const store = await connect();
    await store.take('short', 5, 0.1);
    const raw = new Redis(server.url);
    const life = await raw.pttl('rate:short');
    expect(life).toBeGreaterThan(0);
    expect(life).toBeLessThanOrEqual(1_100);
    raw.disconnect();
    await store.close();
  });
});
