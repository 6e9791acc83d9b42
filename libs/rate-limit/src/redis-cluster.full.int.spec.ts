import { setTimeout as pause } from 'node:timers/promises';
import { eventually, NO_REDIS, redisInstalled, startRedisCluster, type TestRedisCluster } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { RateLimiter } from './rate-limiter.ts';
import { RedisRateLimitStore } from './redis-store.ts';
import { storeConformance } from './store-conformance.fixture.ts';

describe.skipIf(!redisInstalled)(redisInstalled ? 'in a Redis Cluster' : NO_REDIS, () => {
  let cluster: TestRedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster?.remove());

  const connect = async () => {
    const store = new RedisRateLimitStore({ url: cluster.url, commandTimeoutMs: 5_000 });
    expect(await store.connects(5_000)).toBe(true);
    return store;
  };
  const limiter = (onChange?: (degraded: boolean) => void) => {
    const made = new RateLimiter({ redisUrl: cluster.url, commandTimeoutMs: 500, probeEveryMs: 50, onChange });
    onTestFinished(() => made.close());
    return made;
  };

  storeConformance('redis cluster', connect);

  it('counts the keys of all nodes, for several processes, from their first request on', async () => {
    const limiters = [limiter(), limiter()] as const;
    const keys = Array.from({ length: 12 }, (_, i) => `reads:tenant:${i}`);
    const takes = keys.flatMap((key) =>
      Array.from({ length: 40 }, (_, i) => ({ key, limiter: limiters[i % 2 ? 1 : 0] })),
    );
    const passed = new Map<string, number>();
    await Promise.all(
      takes.map(async ({ key, limiter }) => {
        if ((await limiter.take(key, 15, 60)).allowed) passed.set(key, (passed.get(key) ?? 0) + 1);
      }),
    );
    expect([...passed.values()]).toEqual(keys.map(() => 15));
    expect(limiters.map((each) => each.degraded())).toEqual([0, 0]);
    const masters = (await cluster.nodes()).filter(({ slots }) => slots.length > 0);
    const sizes = await Promise.all(masters.map(({ port }) => cluster.ask(port, 'dbsize')));
    expect(sizes.every((size) => Number(size) > 0)).toBe(true);
  });

  it('counts on while the slot of a key moves, by all processes together', async () => {
    const limiters = [limiter(), limiter()] as const;
    const key = 'moving';
    let passed = 0;
    const take = async () => {
      for (const each of limiters) if ((await each.take(key, 50, 60)).allowed) passed += 1;
    };
    for (let i = 0; i < 10; i++) await take();
    await cluster.moveSlot(await cluster.slotOf(`rate:${key}`), async () => {
      for (let i = 0; i < 10; i++) await take();
      // A key that is new in the slot meanwhile.
      expect((await limiters[0].take(`{rate:${key}}:new`, 1, 60)).allowed).toBe(true);
    });
    for (let i = 0; i < 20; i++) await take();
    expect(passed).toBe(50);
    expect(limiters.map((each) => each.degraded())).toEqual([0, 0]);
  });

  it('counts by itself while a slot has no master, hands out no second allowance, and uses the cluster again by itself', async () => {
    const changes: boolean[] = [];
    const taken = limiter((degraded) => changes.push(degraded));
    const other = limiter();
    const keys = Array.from({ length: 12 }, (_, i) => `failover:${i}`);
    const passed = new Map<string, number>(keys.map((key) => [key, 0]));
    const slowest = { ms: 0 };
    const takeAll = async () => {
      for (const key of keys) {
        if (changes.length === 2) return; // what this process counted by itself, the cluster does not know
        const begun = performance.now();
        if ((await taken.take(key, 30, 60)).allowed) passed.set(key, (passed.get(key) ?? 0) + 1);
        slowest.ms = Math.max(slowest.ms, performance.now() - begun);
      }
    };
    for (let i = 0; i < 10; i++) await takeAll();
    expect(changes).toEqual([]);

    let down = true;
    const failingOver = cluster.failOver(await cluster.slotOf('rate:failover:0')).finally(() => (down = false));
    while (down) {
      await takeAll();
      await pause(20);
    }
    expect(changes[0]).toBe(true);
    const killed = await failingOver;
    await cluster.revive(killed);
    await cluster.whole();
    for (const [key, times] of passed) expect(times, key).toBeLessThanOrEqual(30);
    expect(passed.get('failover:0')).toBeGreaterThan(10);
    expect(slowest.ms).toBeLessThan(2_000);
    await eventually(() => expect(taken.degraded()).toBe(0), 10_000);
    await eventually(() => expect(other.degraded()).toBe(0), 10_000);
    expect(changes).toEqual([true, false]);
    expect(await taken.take('after', 2, 60)).toMatchObject({ remaining: 1 });
    expect(await other.take('after', 2, 60)).toMatchObject({ remaining: 0 });
  });

  it('waits for a frozen master no longer than a command may take, and goes on when its replica has its place', async () => {
    const taken = limiter();
    const slot = await cluster.slotOf('rate:frozen');
    await taken.take('frozen', 5, 60);
    const { port, id } = await cluster.masterOf(slot);
    cluster.signal(port, 'SIGSTOP');
    const begun = performance.now();
    await Promise.all(Array.from({ length: 50 }, () => taken.take('frozen', 5, 60)));
    expect(performance.now() - begun).toBeLessThan(1_000);
    expect(taken.degraded()).toBe(1);
    await eventually(() => expect(taken.degraded()).toBe(0), 15_000);
    expect(await taken.take('thawed', 2, 60)).toMatchObject({ remaining: 1 });
    cluster.signal(port, 'SIGCONT');
    await cluster.whole();
    expect((await cluster.masterOf(slot)).id).not.toBe(id);
  });
});
