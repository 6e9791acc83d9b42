import { setTimeout as pause } from 'node:timers/promises';
import { QUEUES, type QueueName } from '@constancia/contracts';
import { SecretBox } from '@constancia/kernel';
import {
  eventually,
  NO_REDIS,
  redisInstalled,
  startRedis,
  startRedisCluster,
  type TestRedis,
  type TestRedisCluster,
} from '@constancia/testing';
import { Queue, Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Queues, sweepRegularly } from './index.ts';
import { dispatcherProcessors, processing, processorsOf } from './processing.fixture.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const NAMES = Object.keys(QUEUES) as QueueName[];
const APPS = [...new Set(Object.values(QUEUES).map(({ consumer }) => consumer))];

const opened: Queues[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((queues) => queues.close({ drainMs: 0 })));
});

function queuesOf(app: string, redisUrl: string): Queues {
  const queues = new Queues({ app, redisUrl, sealingKey: new SecretBox([Buffer.alloc(32, 1)]), logger: silent });
  opened.push(queues);
  return queues;
}

describe.skipIf(!redisInstalled)(redisInstalled ? 'queues in a Redis Cluster' : NO_REDIS, () => {
  let cluster: TestRedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterEach(() => cluster.wipe());
  afterAll(() => cluster?.remove());

  const slotOf = (queue: QueueName) => cluster.slotOf(`{constancia:${queue}}:${queue}:wait`);

  it('carry the hints of every queue, each in a slot of its own', async () => {
    const seen: string[] = [];
    for (const app of APPS) {
      const work = Object.fromEntries(NAMES.map((name) => [name, async () => void seen.push(name)]));
      await processing(queuesOf(app, cluster.url), ...processorsOf(app, work));
    }
    const producer = queuesOf('platform', cluster.url);
    await producer.ping();
    for (const name of NAMES) producer.hint(name, { v: 1 } as never, 'one');
    await eventually(() => expect([...seen].sort()).toEqual([...NAMES].sort()), 10_000);
    expect(producer.lostHints).toBe(0);

    const masters = (await cluster.nodes()).filter(({ slots }) => slots.length > 0);
    const lists = await Promise.all(masters.map(({ port }) => cluster.ask(port, 'keys', '*')));
    const keys = lists.flatMap((list) => list.trim().split('\n'));
    expect(keys.length).toBeGreaterThan(NAMES.length);
    const slots = new Map<QueueName, Set<number>>(NAMES.map((name) => [name, new Set()]));
    for (const key of keys) {
      const name = /^\{constancia:([^}]+)\}:\1:/.exec(key)?.[1] as QueueName;
      slots.get(name)?.add(await cluster.slotOf(key));
    }
    for (const [name, own] of slots) expect([name, [...own]]).toEqual([name, [await slotOf(name)]]);
    expect(new Set([...slots.values()].flatMap((own) => [...own])).size).toBe(NAMES.length);
    // Not all of them on one node.
    const nodes = await Promise.all(NAMES.map(async (name) => (await cluster.masterOf(await slotOf(name))).id));
    expect(new Set(nodes).size).toBe(3);
  });

  /** Work as the apps do it: what is due stands in a table, a hint wakes, a sweep finds what no hint announced. */
  async function workUnderLoad() {
    const due = new Set<string>();
    const done = new Map<string, number>();
    const queues = queuesOf('webhook-dispatcher', cluster.url);
    const take = async (id: string) => {
      if (due.delete(id)) done.set(id, (done.get(id) ?? 0) + 1);
    };
    let swept = 0;
    await processing(queues, ...dispatcherProcessors(4, async ({ endpoint_id }) => take(endpoint_id)));
    const sweep = async () => {
      swept += due.size;
      for (const id of [...due]) await take(id);
    };
    const sweeps = sweepRegularly(queues, { queue: 'webhook-delivery', everyMs: 1_000, sweep, logger: silent });
    const producer = queuesOf('platform', cluster.url);
    await producer.ping();
    const ids: string[] = [];
    let running = true;
    const load = (async () => {
      for (let i = 0; running; i++, await pause(2)) {
        const id = `e${i}`;
        ids.push(id);
        due.add(id);
        producer.hint('webhook-delivery', { v: 1, endpoint_id: id }, id);
      }
    })();
    await pause(1_000);
    return {
      producer,
      swept: () => swept,
      async end() {
        running = false;
        await load;
        await eventually(() => expect(due.size).toBe(0), 15_000);
        expect(ids.length).toBeGreaterThan(300);
        expect(done.size).toBe(ids.length);
        expect([...done.values()].every((times) => times === 1)).toBe(true);
        // Hints work again, without a sweep.
        await sweeps.close();
        let reached = false;
        const again = `again-${ids.length}`;
        await eventually(async () => {
          due.add(again);
          producer.hint('webhook-delivery', { v: 1, endpoint_id: again }, again);
          await pause(200);
          reached = done.has(again);
          expect(reached).toBe(true);
        }, 15_000);
      },
    };
  }

  it('lose no work and repeat none when the slot of the queue moves under load', async () => {
    const work = await workUnderLoad();
    const slot = await slotOf('webhook-delivery');
    const before = await cluster.masterOf(slot);
    await cluster.moveSlot(slot, () => pause(3_000));
    expect((await cluster.masterOf(slot)).id).not.toBe(before.id);
    await pause(1_000);
    await work.end();
  });

  it('take hints under ids that were sent while the slot was on its way', async () => {
    const seen: string[] = [];
    const processors = dispatcherProcessors(4, async ({ endpoint_id }) => void seen.push(endpoint_id));
    await processing(queuesOf('webhook-dispatcher', cluster.url), ...processors);
    const producer = queuesOf('platform', cluster.url);
    const ids = Array.from({ length: 40 }, (_, i) => `moving-${i}`);
    const sendAll = () => {
      for (const id of ids) producer.hint('webhook-delivery', { v: 1, endpoint_id: id }, id);
    };
    sendAll();
    await eventually(() => expect(new Set(seen).size).toBe(ids.length));
    await cluster.moveSlot(await slotOf('webhook-delivery'), async () => {
      for (let i = 0; i < 20; i++, await pause(100)) sendAll();
    });
    await pause(2_500); // what was sent last has been tried for the last time
    seen.length = 0;
    sendAll();
    await eventually(() => expect(new Set(seen).size).toBe(ids.length), 15_000);
  });

  it('lose no work and repeat none when the master of the queue is killed under load', async () => {
    const work = await workUnderLoad();
    const killed = await cluster.failOver(await slotOf('webhook-delivery'));
    await pause(1_000);
    await work.end();
    await cluster.revive(killed);
    await cluster.whole();
  });
});

describe.skipIf(!redisInstalled)(redisInstalled ? 'queues on one server of Redis' : NO_REDIS, () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server?.kill());

  // Releases before Redis Cluster know these keys only, and modules are upgraded one by one: an answer of one to the other has no other way.
  it('are under the keys of the releases before: either takes what the other sent', async () => {
    const connection = { url: server.url, maxRetriesPerRequest: null };
    const before = { queue: new Queue('sealing', { connection }), seen: [] as unknown[] };
    const consumer = new Worker('webhook-delivery', async (job) => void before.seen.push(job.data), { connection });
    const seen: unknown[] = [];
    const worker = queuesOf('sealing-worker', server.url);
    await processing(
      worker,
      ...processorsOf('sealing-worker', { sealing: async (message) => void seen.push(message) }),
    );
    await before.queue.add('hint', { v: 1, request_id: 'from before' });
    queuesOf('platform', server.url).hint('webhook-delivery', { v: 1, endpoint_id: 'to before' }, 'x');
    await eventually(() => expect(seen).toEqual([{ v: 1, request_id: 'from before' }]));
    await eventually(() => expect(before.seen).toEqual([{ v: 1, endpoint_id: 'to before' }]));
    await Promise.all([before.queue.close(), consumer.close()]);
  });
});
