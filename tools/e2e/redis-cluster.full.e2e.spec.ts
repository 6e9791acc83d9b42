import { setTimeout as pause } from 'node:timers/promises';
import {
  eventually,
  NO_REDIS,
  redisInstalled,
  slotOfQueue,
  startRedisCluster,
  type TestRedisCluster,
  type TestStack,
  webhookSink,
  type WebhookSink,
} from '@constancia/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  brokenInvariants, grantCredits, inStore, type Integrator, NO_LIMITS, requestSignature, settled, signUp, startDeployment, uploadTemplate,
} from './deployment.fixture.ts'; // prettier-ignore

/** Signature requests that were answered 202, and every answer. */
interface Load {
  accepted: string[];
  answers: Set<string>;
  /** Whether every answer told what is left of the limit. */
  limited: boolean;
  end(): Promise<void>;
}

describe.skipIf(!redisInstalled)(redisInstalled ? 'a deployment on a Redis Cluster' : NO_REDIS, () => {
  let cluster: TestRedisCluster;
  let stack: TestStack;
  let sink: WebhookSink;
  let integrator: Integrator;
  let templateId: string;

  beforeAll(async () => {
    cluster = await startRedisCluster();
    stack = await startDeployment({ redisUrl: cluster.url, env: { ...NO_LIMITS, DRAIN_SECONDS: '3' } });
    sink = await webhookSink();
    integrator = await signUp(stack);
    await grantCredits(stack, integrator);
    await integrator.platform.PUT('/tenants/{id}/webhook-endpoints/{module}', {
      params: { path: { id: integrator.tenantId, module: 'seal' } },
      body: { url: sink.url },
    });
    templateId = await uploadTemplate(stack, integrator);
  });
  afterEach(async () => {
    await cluster.whole();
    if (stack) expect(await brokenInvariants(stack)).toEqual([]);
  });
  afterAll(async () => {
    await stack?.close();
    await sink?.close();
    await cluster?.remove();
  });

  function underLoad(): Load {
    let running = true;
    const clients = Array.from({ length: 4 }, async () => {
      while (running) {
        const response = await requestSignature(stack, integrator, templateId);
        load.answers.add(String(response.status));
        if (!response.headers.get('x-ratelimit-remaining')) load.limited = false;
        const { id } = (await response.json()) as { id?: string };
        if (response.status === 202 && id) load.accepted.push(id);
        await pause(50);
      }
    });
    const load: Load = {
      accepted: [],
      answers: new Set(),
      limited: true,
      async end() {
        running = false;
        await Promise.all(clients);
      },
    };
    return load;
  }

  /** Everything that was accepted is sealed once, paid once and announced as one event; Postgres says so. */
  async function allDoneOnce({ accepted, answers, limited }: Load): Promise<void> {
    expect([...answers]).toEqual(['202']);
    expect(limited).toBe(true);
    expect(accepted.length).toBeGreaterThan(20);
    for (const id of accepted) expect((await settled(stack, integrator, id, 40_000)).status).toBe('signed');
    const deliveriesOf = (id: string) => sink.received.filter(({ body }) => body.includes(id));
    await eventually(() => expect(accepted.filter((id) => deliveriesOf(id).length === 0)).toEqual([]), 30_000);
    for (const id of accepted)
      expect(new Set(deliveriesOf(id).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await eventually(async () => {
      const [row] = await inStore<{ open: number }>(
        stack,
        `select count(*)::int as open from platform.delivery where status not in ('delivered')`,
      );
      expect(row?.open).toBe(0);
    }, 30_000);
  }

  /** The value of a metric of the API, all labels together; 0 for one that has not counted anything. Throws when there is no such metric. */
  async function metric(name: string): Promise<number> {
    const text = await (await fetch(`${stack.app('signing').opsUrl}/metrics`)).text();
    expect(text).toMatch(new RegExp(`^# TYPE ${name} `, 'm'));
    const samples = text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'));
    return [...samples].reduce((sum, [, value]) => sum + Number(value), 0);
  }

  /** How many hints came to a queue: its stream of events is in the slot of its other keys. */
  async function hintsIn(queue: string): Promise<number> {
    const { port } = await cluster.masterOf(await slotOfQueue(cluster, queue));
    const events = await cluster.ask(port, 'xrange', `{constancia:${queue}}:${queue}:events`, '-', '+');
    return events.match(/^added\n(?:.+\n)*?name\nhint$/gm)?.length ?? 0;
  }

  it('seals and announces by hints, whose keys lie in slots of their own', async () => {
    const queues = ['sealing', 'webhook-delivery'];
    const before = await Promise.all(queues.map(hintsIn));
    const response = await requestSignature(stack, integrator, templateId);
    const { id } = (await response.json()) as { id: string };
    expect((await settled(stack, integrator, id, 20_000)).status).toBe('signed');
    await eventually(() => expect(sink.received.filter(({ body }) => body.includes(id))).toHaveLength(1), 20_000);
    const after = await Promise.all(queues.map(hintsIn));
    expect(after.map((hints, index) => hints > (before[index] as number))).toEqual([true, true]);
    expect(new Set(await Promise.all(queues.map((queue) => slotOfQueue(cluster, queue)))).size).toBe(queues.length);
    expect(await metric('rate_limit_degraded')).toBe(0);
    expect(await metric('queue_hints_lost_total')).toBe(0);
  });

  it.each(['sealing', 'webhook-delivery'])(
    'answers on, loses nothing and repeats nothing when the master of the queue %s is killed',
    async (queue) => {
      const load = underLoad();
      await pause(1_000);
      const killed = await cluster.failOver(await slotOfQueue(cluster, queue));
      await pause(2_000);
      await load.end();
      await cluster.revive(killed);
      await allDoneOnce(load);
      await eventually(async () => expect(await metric('rate_limit_degraded')).toBe(0), 15_000);
    },
  );

  it('answers on, loses nothing and repeats nothing while slots of queues and of a rate limit move', async () => {
    const load = underLoad();
    await pause(500);
    const masters = (await cluster.nodes()).filter(({ slots }) => slots.length > 0);
    const limits = await Promise.all(masters.map(({ port }) => cluster.ask(port, 'keys', 'rate:tenant:*')));
    const limit = limits.join('\n').split('\n').find((key) => key !== '') as string; // prettier-ignore
    expect(limit).toMatch(/^rate:tenant:tenant:/);
    const queues = await Promise.all(['sealing', 'webhook-delivery'].map((queue) => slotOfQueue(cluster, queue)));
    for (const slot of [...queues, await cluster.slotOf(limit)]) {
      const before = await cluster.masterOf(slot);
      await cluster.moveSlot(slot, () => pause(2_000));
      expect((await cluster.masterOf(slot)).id).not.toBe(before.id);
    }
    await pause(1_000);
    await load.end();
    await allDoneOnce(load);
    expect(await metric('rate_limit_degraded')).toBe(0);
  });
});
