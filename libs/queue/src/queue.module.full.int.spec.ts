import { SecretBox } from '@constancia/kernel';
import { eventually, redisInstalled } from '@constancia/testing';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Queues, type WorkerHost } from './index.ts';
import { dispatcherProcessors, processing, processorOf } from './processing.fixture.ts';
import { STORES, type Store } from './queue-stores.fixture.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const opened: Queues[] = [];

function queuesOn(app: string, store: Pick<Store, 'options'>, drainMs?: number): Queues {
  const sealingKey = new SecretBox([Buffer.alloc(32, 1)]);
  const queues = new Queues({ app, ...store.options, sealingKey, logger: silent, drainMs });
  opened.push(queues);
  return queues;
}

const hint = (queues: Queues, id: string) => queues.hint('webhook-delivery', { v: 1, endpoint_id: id }, id);
const idle = async (): Promise<void> => undefined;

afterEach(async () => {
  await Promise.all(opened.splice(0).map((queues) => queues.close({ drainMs: 0 })));
});

describe('the start of an app', () => {
  const nowhere = { options: { redisUrl: 'redis://127.0.0.1:1' } };
  const starting = (app: string, ...processors: Type<WorkerHost>[]) =>
    processing(queuesOn(app, nowhere), ...processors);

  it('fails when one of its queues has no processor', async () => {
    await expect(starting('webhook-dispatcher', processorOf('webhook-delivery', 1, idle))).rejects.toThrow(
      'webhook-dispatcher has no consumer for: webhook-replay',
    );
  });

  it('fails when one of its queues has two', async () => {
    const twice = [processorOf('sealing', 1, idle), processorOf('sealing', 1, idle)];
    await expect(starting('sealing-worker', ...twice)).rejects.toThrow('the queue sealing has a consumer already');
  });

  it('fails when a processor is of a queue of another app', async () => {
    const processors = [processorOf('sealing', 1, idle), processorOf('step-run', 1, idle)];
    await expect(starting('sealing-worker', ...processors)).rejects.toThrow('consumed by biometrics-worker');
  });
});

describe.each(STORES)('the shutdown of an app, with queues on $name', ({ open, installed }) => {
  if (!installed) return it.skip('redis-server is not on the PATH');
  let store: Store;
  beforeAll(async () => {
    store = await open();
  });
  afterEach(() => store.wipe());
  afterAll(() => store.remove());

  it('lets running jobs end, and sends the hints that they still give', async () => {
    const queues = queuesOn('webhook-dispatcher', store);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let started = false;
    const app = await processing(
      queues,
      ...dispatcherProcessors(1, async () => {
        started = true;
        await held;
        queues.hint('sealing', { v: 1, request_id: 'given-late' }, 'given-late');
      }),
    );
    hint(queues, 'a');
    await eventually(() => expect(started).toBe(true));
    let closed = false;
    const closing = app.close().then(() => (closed = true));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(closed).toBe(false);
    release();
    await closing;
    expect(queues.lostHints).toBe(0);
    const seen: string[] = [];
    const note = async ({ request_id }: { request_id: string }) => void seen.push(request_id);
    await processing(queuesOn('sealing-worker', store), processorOf('sealing', 1, note));
    await eventually(() => expect(seen).toEqual(['given-late']));
  });

  it('takes no more jobs while other components still drain, which may give hints', async () => {
    const queues = queuesOn('webhook-dispatcher', store);
    const seen: string[] = [];
    let draining = false;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    class SlowToDrain {
      async beforeApplicationShutdown(): Promise<void> {
        draining = true;
        await held;
        queues.hint('sealing', { v: 1, request_id: 'given-late' }, 'given-late');
      }
    }
    const processors = dispatcherProcessors(1, async ({ endpoint_id }) => void seen.push(endpoint_id));
    const app = await processing(queues, ...processors, SlowToDrain as unknown as Type<WorkerHost>);
    hint(queues, 'before');
    await eventually(() => expect(seen).toEqual(['before']));
    const closing = app.close();
    await eventually(() => expect(draining).toBe(true));
    hint(queues, 'after');
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    release();
    await closing;
    expect(seen).toEqual(['before']);
    expect(queues.lostHints).toBe(0);
  });

  it('is bounded, whatever a job does', async () => {
    const queues = queuesOn('webhook-dispatcher', store, 300);
    let started = false;
    const stuck = dispatcherProcessors(1, () => {
      started = true;
      return new Promise(() => undefined);
    });
    const app = await processing(queues, ...stuck);
    hint(queues, 'stuck');
    await eventually(() => expect(started).toBe(true));
    const begun = performance.now();
    await app.close();
    expect(performance.now() - begun).toBeLessThan(6_000);
  });

  it('is bounded while the store is unavailable', async () => {
    const queues = queuesOn('webhook-dispatcher', store, 300);
    const app = await processing(queues, ...dispatcherProcessors(1, idle));
    await queues.ping();
    await store.stop();
    const begun = performance.now();
    await app.close();
    expect(performance.now() - begun).toBeLessThan(6_000);
    await store.start();
  });
});

describe('two apps in a process', () => {
  const apps: INestApplicationContext[] = [];
  afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));

  it.skipIf(!redisInstalled)('consume each from its own backend, and end each for itself', async () => {
    const stores = await Promise.all(STORES.slice(0, 2).map(({ open }) => open()));
    const consuming = stores.map((store) => {
      const queues = queuesOn('webhook-dispatcher', store);
      return { queues, seen: [] as string[] };
    });
    for (const { queues, seen } of consuming) {
      apps.push(
        await processing(queues, ...dispatcherProcessors(1, async ({ endpoint_id }) => void seen.push(endpoint_id))),
      );
    }
    const [postgres, redis] = consuming as [(typeof consuming)[0], (typeof consuming)[0]];
    hint(postgres.queues, 'on-postgres');
    hint(redis.queues, 'on-redis');
    await eventually(() => expect(consuming.map(({ seen }) => seen)).toEqual([['on-postgres'], ['on-redis']]), 10_000);
    await apps[0]?.close();
    hint(redis.queues, 'still');
    await eventually(() => expect(redis.seen).toEqual(['on-redis', 'still']));
    await Promise.all(apps.splice(0).map((app) => app.close()));
    await Promise.all(stores.map((store) => store.remove()));
  });
});
