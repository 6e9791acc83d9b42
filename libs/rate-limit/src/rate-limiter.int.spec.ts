import { sleep } from '@constancia/kernel';
import { NO_REDIS, redisInstalled, startRedis, type TestRedis } from '@constancia/testing';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { RateLimiter, type RateLimiterOptions } from './rate-limiter.ts';

function limiter(options: RateLimiterOptions): RateLimiter {
  const made = new RateLimiter({ probeEveryMs: 50, ...options });
  onTestFinished(() => made.close());
  return made;
}

async function eventually(check: () => boolean): Promise<void> {
  for (let i = 0; i < 100 && !check(); i++) await sleep(50);
  expect(check()).toBe(true);
}

describe.skipIf(!redisInstalled)(redisInstalled ? 'a limiter on Redis' : NO_REDIS, () => {
  let server: TestRedis;
  afterEach(() => server.kill());

  it('never throws when Redis is killed in mid-run, and hands out no second allowance', async () => {
    server = await startRedis();
    const changes: boolean[] = [];
    const taken = limiter({
      redisUrl: server.url,
      commandTimeoutMs: 2_000,
      onChange: (degraded) => changes.push(degraded),
    });
    let passed = 0;
    const hammer = async () => {
      for (let i = 0; i < 100; i++) {
        if ((await taken.take('k', 120, 60)).allowed) passed += 1;
        await sleep(2);
      }
    };
    const running = Promise.all(Array.from({ length: 10 }, hammer));
    await sleep(15);
    await server.kill();
    await running;
    expect(passed).toBe(120);
    await taken.take('other', 120, 60);
    expect(taken.degraded()).toBe(1);

    await server.start();
    await eventually(() => taken.degraded() === 0);
    expect(changes).toEqual([true, false]);
    expect(await taken.take('new', 120, 60)).toMatchObject({ allowed: true, remaining: 119 });
  });

  it('waits no longer than the command timeout for a frozen Redis, and only once', async () => {
    server = await startRedis();
    const taken = limiter({ redisUrl: server.url, commandTimeoutMs: 500 });
    await taken.take('k', 5, 60);
    server.signal('SIGSTOP');
    const start = performance.now();
    await Promise.all(Array.from({ length: 50 }, () => taken.take('k', 5, 60)));
    expect(performance.now() - start).toBeLessThan(1_000);
    const second = performance.now();
    const refused = await taken.take('k', 5, 60);
    expect(performance.now() - second).toBeLessThan(250);
    expect(refused.allowed).toBe(false);
    server.signal('SIGCONT');
    await eventually(() => taken.degraded() === 0);
  });

  it('works when Redis was never there', async () => {
    server = await startRedis();
    await server.kill();
    const taken = limiter({ redisUrl: server.url, commandTimeoutMs: 2_000 });
    const all = await Promise.all(Array.from({ length: 300 }, () => taken.take('k', 120, 60)));
    expect(all.filter(({ allowed }) => allowed)).toHaveLength(120);
    expect(taken.degraded()).toBe(1);
  });

  it('refuses a key over its limit from memory: a flood costs no Redis call', async () => {
    server = await startRedis();
    const taken = limiter({ redisUrl: server.url, commandTimeoutMs: 2_000 });
    for (let i = 0; i < 4; i++) await taken.take('flood', 3, 60);
    const raw = new Redis(server.url);
    onTestFinished(() => raw.disconnect());
    const calls = async () => Number(/total_commands_processed:(\d+)/.exec(await raw.info('stats'))?.[1]);
    const before = await calls();
    for (let i = 0; i < 500; i++) expect((await taken.take('flood', 3, 60)).allowed).toBe(false);
    expect((await calls()) - before).toBeLessThan(10);
  });

  it('lifts the block in memory at the reset that it stated', async () => {
    server = await startRedis();
    const taken = limiter({ redisUrl: server.url, commandTimeoutMs: 2_000 });
    await taken.take('k', 1, 1);
    const { allowed, resetAtSeconds } = await taken.take('k', 1, 1);
    expect(allowed).toBe(false);
    expect((await taken.take('k', 1, 1)).allowed).toBe(false);
    while (Date.now() < resetAtSeconds * 1000) await sleep(resetAtSeconds * 1000 - Date.now());
    expect((await taken.take('k', 1, 1)).allowed).toBe(true);
  });

  it('lifts the block when a token is given back', async () => {
    server = await startRedis();
    const taken = limiter({ redisUrl: server.url, commandTimeoutMs: 2_000 });
    await taken.take('k', 1, 60);
    expect((await taken.take('k', 1, 60)).allowed).toBe(false);
    await taken.giveBack('k', 60);
    expect((await taken.take('k', 1, 60)).allowed).toBe(true);
  });

  it('does not take its own busy event loop for a slow Redis', async () => {
    server = await startRedis();
    const taken = limiter({ redisUrl: server.url, commandTimeoutMs: 500 });
    await taken.take('k', 9, 60);
    const pending = taken.take('k', 9, 60);
    await sleep(0);
    const busyUntil = performance.now() + 1_000;
    while (performance.now() < busyUntil);
    expect(await pending).toMatchObject({ remaining: 7 });
    expect(taken.degraded()).toBe(0);
  });
});
