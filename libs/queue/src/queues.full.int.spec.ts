import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SecretBox } from '@constancia/kernel';
import { bundled, eventually } from '@constancia/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Queues } from './index.ts';
import type { QueueLogger } from './index.ts';
import { dispatcherProcessors, processing, processorOf } from './processing.fixture.ts';
import { STORES, type Store } from './queue-stores.fixture.ts';

describe.each(STORES)('queues on $name', ({ open, installed }) => {
  if (!installed) return it.skip('redis-server is not on the PATH');
  let store: Store;
  const opened: Queues[] = [];
  const logged: string[] = [];
  const logger: QueueLogger = {
    info: () => undefined,
    warn: (details, message) => logged.push(`${message} ${JSON.stringify(details)}`),
    error: (details, message) => logged.push(`${message} ${JSON.stringify(details)}`),
  };

  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.remove());
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((queues) => queues.close({ drainMs: 0 })));
    await store.wipe();
    logged.length = 0;
  });

  function queuesOf(app: string): Queues {
    const queues = new Queues({ app, ...store.options, sealingKey: new SecretBox([Buffer.alloc(32, 1)]), logger });
    opened.push(queues);
    return queues;
  }

  /** A dispatcher that notes the hints it got. */
  async function dispatcher(work: (id: string) => Promise<void> = async () => undefined, concurrency = 4) {
    const queues = queuesOf('webhook-dispatcher');
    const seen: string[] = [];
    const processors = dispatcherProcessors(concurrency, async ({ endpoint_id }) => {
      seen.push(endpoint_id);
      await work(endpoint_id);
    });
    const app = await processing(queues, ...processors);
    return { app, queues, seen };
  }

  it('tell for how long the first job has been waiting, and nothing of sweeps before their time', async () => {
    const worker = queuesOf('sealing-worker');
    expect(worker.consumed).toEqual([]);
    await eventually(async () => expect(await worker.oldestWaitingSeconds('sealing')).toBe(0));
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await processing(
      worker,
      processorOf('sealing', 1, () => held),
    );
    worker.every('sealing', 60_000, () => Promise.resolve());
    expect(worker.consumed).toEqual(['sealing']);
    for (const request_id of ['a', 'b', 'c']) worker.hint('sealing', { v: 1, request_id }, request_id);
    await eventually(async () => expect(await worker.oldestWaitingSeconds('sealing')).toBeGreaterThan(0.5));
    expect(await worker.oldestWaitingSeconds('sealing')).toBeLessThan(20);
    release();
    await eventually(async () => expect(await worker.oldestWaitingSeconds('sealing')).toBe(0));
  });

  it('delivers a hint to the consumer', async () => {
    const { seen } = await dispatcher();
    const producer = queuesOf('platform');
    await producer.ping();
    producer.hint('webhook-delivery', { v: 1, endpoint_id: 'a' }, 'a');
    await eventually(() => expect(seen).toEqual(['a']));
    const empty = { waiting: 0, active: 0, delayed: 0, failed: 0 };
    await eventually(async () => expect(await producer.depth('webhook-delivery')).toEqual(empty));
  });

  it('turns many hints of one id into one run while it waits, and into exactly one more while it runs', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const { seen } = await dispatcher((id) => (id === 'busy' ? gate : Promise.resolve()));
    const producer = queuesOf('platform');
    producer.hint('webhook-delivery', { v: 1, endpoint_id: 'busy' }, 'busy');
    await eventually(() => expect(seen).toEqual(['busy']));
    for (let i = 0; i < 50; i++) {
      producer.hint('webhook-delivery', { v: 1, endpoint_id: 'busy' }, 'busy');
      await pause(i % 10 === 0 ? 20 : 0);
    }
    producer.hint('webhook-delivery', { v: 1, endpoint_id: 'after' }, 'after');
    await eventually(() => expect(seen).toContain('after'));
    expect(seen.filter((id) => id === 'busy')).toHaveLength(1);
    release();
    await eventually(() => expect(seen.filter((id) => id === 'busy')).toHaveLength(2));
    await pause(500);
    expect(seen.filter((id) => id === 'busy')).toHaveLength(2);
  });

  it('hints for the same id work again after its run ended', async () => {
    const { seen } = await dispatcher();
    const producer = queuesOf('platform');
    for (let runs = 1; runs <= 3; runs++) {
      producer.hint('webhook-delivery', { v: 1, endpoint_id: 'again' }, 'again');
      await eventually(() => expect(seen).toHaveLength(runs));
    }
  });

  it('runs at most as many handlers at a time as asked for', async () => {
    let running = 0;
    let most = 0;
    const { seen } = await dispatcher(async () => {
      most = Math.max(most, ++running);
      await pause(60);
      running -= 1;
    }, 3);
    const producer = queuesOf('platform');
    for (let i = 0; i < 12; i++) producer.hint('webhook-delivery', { v: 1, endpoint_id: `e${i}` }, `e${i}`);
    await eventually(() => expect(seen).toHaveLength(12));
    expect(most).toBe(3);
  });

  it('runs a sweep at its interval, once for two processes', async () => {
    let runs = 0;
    for (let pod = 0; pod < 2; pod++) {
      const queues = queuesOf('sealing-worker');
      await processing(
        queues,
        processorOf('sealing', 2, async () => undefined),
      );
      queues.every('sealing', 500, async () => {
        runs += 1;
      });
    }
    await eventually(() => expect(runs).toBeGreaterThan(0));
    const [before, began] = [runs, performance.now()];
    await pause(3_000);
    expect(runs - before).toBeGreaterThanOrEqual(4);
    expect(runs - before).toBeLessThanOrEqual((performance.now() - began) / 500 + 2);
  });

  it('runs a sweep before the hints that wait', async () => {
    const { queues, seen } = await dispatcher(() => pause(50), 1);
    const producer = queuesOf('platform');
    for (let i = 0; i < 100; i++) producer.hint('webhook-delivery', { v: 1, endpoint_id: `w${i}` }, `w${i}`);
    await eventually(() => expect(seen.length).toBeGreaterThan(1));
    await eventually(async () => {
      const { waiting } = await producer.depth('webhook-delivery');
      expect(waiting).toBeGreaterThan(80); // a cluster takes some milliseconds longer for the last of them
      expect(waiting).toBeLessThan(100);
    });
    let sweepAfter: number | undefined;
    queues.every('webhook-delivery', 60_000, async () => {
      sweepAfter ??= seen.length;
    });
    await eventually(() => expect(sweepAfter).toBeLessThan(60), 10_000);
  });

  it('has its sweep back within seconds after the queue was wiped', async () => {
    let runs = 0;
    const { queues } = await dispatcher();
    queues.every('webhook-delivery', 500, async () => {
      runs += 1;
    });
    await eventually(() => expect(runs).toBeGreaterThan(1));
    await store.wipe();
    const before = runs;
    await eventually(() => expect(runs).toBeGreaterThan(before + 2));
  });

  it('loses no wake-up for hints that come after a wipe', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const { seen } = await dispatcher((id) => (id === 'held' ? gate : Promise.resolve()));
    const producer = queuesOf('platform');
    producer.hint('webhook-delivery', { v: 1, endpoint_id: 'held' }, 'held');
    await eventually(() => expect(seen).toEqual(['held']));
    await store.wipe();
    producer.hint('webhook-delivery', { v: 1, endpoint_id: 'next' }, 'next');
    await eventually(() => expect(seen).toContain('next'));
    release();
    await pause(100);
    producer.hint('webhook-delivery', { v: 1, endpoint_id: 'held' }, 'held');
    await eventually(() => expect(seen.filter((id) => id === 'held')).toHaveLength(2));
  });

  it('logs what a handler throws, does not retry it and goes on', async () => {
    const { seen } = await dispatcher(async (id) => {
      if (id === 'bad') throw new Error('no luck');
    });
    const producer = queuesOf('platform');
    producer.hint('webhook-delivery', { v: 1, endpoint_id: 'bad' }, 'bad');
    producer.hint('webhook-delivery', { v: 1, endpoint_id: 'good' }, 'good');
    await eventually(() => expect(seen).toContain('good'));
    await eventually(() => expect(logged.join()).toContain('no luck'));
    await pause(500);
    expect(seen.filter((id) => id === 'bad')).toHaveLength(1);
    expect((await producer.depth('webhook-delivery')).failed).toBe(0);
  });

  it('waits on close for the running handlers, and takes no more work', async () => {
    const ended: string[] = [];
    const { queues, seen } = await dispatcher(async (id) => {
      await pause(2_000);
      ended.push(id);
    }, 2);
    const producer = queuesOf('platform');
    for (const id of ['one', 'two', 'three', 'four']) producer.hint('webhook-delivery', { v: 1, endpoint_id: id }, id);
    await eventually(() => expect(seen).toHaveLength(2));
    await queues.close();
    expect(ended.sort()).toEqual([...seen].sort());
    expect(seen).toHaveLength(2);
    // What it did not take is there for the next process.
    const next = await dispatcher();
    await eventually(() => expect(next.seen).toHaveLength(2), 10_000);
  });

  it('informs handlers by their signal when the time to drain is over', async () => {
    const queues = queuesOf('webhook-dispatcher');
    let aborted = false;
    let started = false;
    const processors = dispatcherProcessors(1, async (_message, signal) => {
      started = true;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      aborted = true;
    });
    await processing(queues, ...processors);
    queuesOf('platform').hint('webhook-delivery', { v: 1, endpoint_id: 'long' }, 'long');
    await eventually(() => expect(started).toBe(true));
    await queues.close({ drainMs: 200 });
    expect(aborted).toBe(true);
  });

  it('never makes the caller wait for a hint, and counts the lost ones, while the store is unavailable; works on when it is back', async () => {
    const { queues, seen } = await dispatcher();
    let sweeps = 0;
    queues.every('webhook-delivery', 500, async () => {
      sweeps += 1;
    });
    const producer = queuesOf('platform');
    producer.hint('webhook-delivery', { v: 1, endpoint_id: 'before' }, 'before');
    await eventually(() => expect(seen).toContain('before'));

    await store.stop();
    const started = performance.now();
    for (let i = 0; i < 1_000; i++) producer.hint('webhook-delivery', { v: 1, endpoint_id: `x${i}` }, `x${i}`);
    expect(performance.now() - started).toBeLessThan(1_000);
    await eventually(() => expect(producer.lostHints).toBe(1_000), 10_000);
    await expect(producer.ping()).rejects.toThrow();
    expect(logged.filter((line) => line.includes('hints were lost'))).toHaveLength(1);

    await store.start();
    await store.wipe();
    const before = sweeps;
    await eventually(() => expect(sweeps).toBeGreaterThan(before + 1), 20_000);
    await eventually(async () => {
      producer.hint('webhook-delivery', { v: 1, endpoint_id: 'after' }, 'after');
      await pause(200);
      expect(seen).toContain('after');
    }, 10_000);
  });

  it('starts while the store is unavailable and works once it is there', async () => {
    await store.stop();
    const { queues, seen } = await dispatcher();
    let sweeps = 0;
    queues.every('webhook-delivery', 500, async () => {
      sweeps += 1;
    });
    await pause(1_500);
    await store.start();
    await eventually(() => expect(sweeps).toBeGreaterThan(0), 15_000);
    queuesOf('platform').hint('webhook-delivery', { v: 1, endpoint_id: 'late' }, 'late');
    await eventually(() => expect(seen).toContain('late'), 10_000);
  });

  it('closes in time while the store is unavailable', async () => {
    const { queues } = await dispatcher();
    queues.every('webhook-delivery', 1_000, async () => undefined);
    await queues.ping();
    await store.stop();
    const started = performance.now();
    await queues.close({ drainMs: 1_000 });
    expect(performance.now() - started).toBeLessThan(6_000);
    await store.start();
  });

  it('holds few connections for the hints of all queues, and for each consumer', async () => {
    const { queues, seen } = await dispatcher(undefined, 20);
    queues.every('webhook-delivery', 200, async () => undefined);
    for (let i = 0; i < 200; i++) queues.hint('webhook-delivery', { v: 1, endpoint_id: `c${i}` }, `c${i}`);
    for (const id of ['a', 'b']) queues.hint('webhook-replay', { v: 1, run_id: id }, id);
    for (const id of ['a', 'b']) queues.hint('sealing', { v: 1, request_id: id }, id);
    await eventually(() => expect(seen.length).toBeGreaterThanOrEqual(200), 10_000);
    expect(await store.connections()).toBeGreaterThan(0);
    expect(await store.connections()).toBeLessThanOrEqual(store.most.hints + 2 * store.most.consumer);
    await queues.close();
    await eventually(async () => expect(await store.connections()).toBe(0));
  });

  it('gives the hint of a killed process to another one within 25 s', async () => {
    const file = await bundled(path.join(import.meta.dirname, 'stuck-consumer.fixture.ts'));
    const { redisUrl, databaseUrl } = store.options;
    const env = redisUrl ? { REDIS_URL: redisUrl } : { QUEUE_DATABASE_URL: databaseUrl };
    const child = spawn(process.execPath, [file], { env: { PATH: process.env['PATH'], ...env }, stdio: 'pipe' });
    const taken = new Promise<string>((resolve) =>
      child.stdout.once('data', (chunk: Buffer) => resolve(String(chunk))),
    );
    const producer = queuesOf('platform');
    producer.hint('webhook-delivery', { v: 1, endpoint_id: 'orphan' }, 'orphan');
    expect((await taken).trim()).toBe('orphan');
    child.kill('SIGKILL');
    const { seen } = await dispatcher();
    producer.hint('webhook-delivery', { v: 1, endpoint_id: 'orphan' }, 'orphan');
    await eventually(() => expect(seen).toContain('orphan'), 25_000);
  }, 40_000);

  it('takes hints a hundred at a time without losing one', async () => {
    const { seen } = await dispatcher(undefined, 20);
    const producer = queuesOf('platform');
    for (let i = 0; i < 500; i++) producer.hint('webhook-delivery', { v: 1, endpoint_id: `n${i}` }, `n${i}`);
    await eventually(() => expect(new Set(seen).size).toBe(500), 15_000);
    expect(producer.lostHints).toBe(0);
  });
});
