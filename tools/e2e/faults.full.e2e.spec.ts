import {
  redisInstalled,
  startRedis,
  eventually,
  type TestRedis,
  type TestStack,
  webhookSink,
  type WebhookSink,
  wipePostgresQueues,
  wipeRedisQueues,
} from '@constancia/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  brokenInvariants, grantCredits, inStore, type Integrator, NO_LIMITS, requestSignature, settled, signature, signUp, startDeployment, storeOf, uploadTemplate,
} from './deployment.fixture.ts'; // prettier-ignore

const GIVE_UP_SECONDS = 12;

describe.each(['postgres', 'redis'] as const)('faults, queues on %s', (backend) => {
  let redis: TestRedis | undefined;
  let stack: TestStack;
  let sink: WebhookSink;
  let integrator: Integrator;
  let templateId: string;
  const test = it.skipIf(backend === 'redis' && !redisInstalled);

  beforeAll(async () => {
    if (backend === 'redis') {
      if (!redisInstalled) return console.warn('skipped: redis-server is not installed');
      redis = await startRedis();
    }
    stack = await startDeployment({
      redisUrl: redis?.url,
      env: { ...NO_LIMITS, SEALING_GIVE_UP_SECONDS: String(GIVE_UP_SECONDS), DRAIN_SECONDS: '3' },
    });
    sink = await webhookSink();
    integrator = await signUp(stack);
    await grantCredits(stack, integrator);
    await integrator.platform.PUT('/tenants/{id}/webhook-endpoints/{module}', {
      params: { path: { id: integrator.tenantId, module: 'seal' } },
      body: { url: sink.url },
    });
    templateId = await uploadTemplate(stack, integrator);
    // App and worker have the tenant's keys from now on: faults of KMS stop the signing alone.
    for (const id of await accept(1)) await settled(stack, integrator, id, 40_000);
  });
  afterEach(async () => {
    if (!stack) return;
    stack.kms.setMode('ok');
    await eventually(
      async () => {
        const [row] = await inStore<{ pending: number }>(
          stack,
          `select count(*)::int as pending from signing.signature_request where status = 'pending'`,
        );
        expect(row?.pending).toBe(0);
      },
      40_000,
      250,
    );
    expect(await brokenInvariants(stack)).toEqual([]);
  });
  afterAll(async () => {
    await stack?.close();
    await sink?.close();
    await redis?.kill();
  });

  async function accept(count: number): Promise<string[]> {
    const responses = await Promise.all(
      Array.from({ length: count }, () => requestSignature(stack, integrator, templateId)),
    );
    return Promise.all(responses.map(async (response) => ((await response.json()) as { id: string }).id));
  }

  const wipeQueues = () => (redis ? wipeRedisQueues(redis.url) : wipePostgresQueues(storeOf(stack)));

  test('a worker killed with -9 while sealing: another run seals the request, once, within 30 s', async () => {
    stack.kms.setMode('hang');
    const [id] = (await accept(1)) as [string];
    await eventually(async () => {
      const [row] = await inStore<{ leased: number }>(
        stack,
        `select count(*)::int as leased from signing.signature_request where lease_token is not null and status = 'pending'`,
      );
      expect(row?.leased).toBe(1);
    });
    const killedAt = Date.now();
    await stack.app('sealing-worker').end('SIGKILL');
    stack.kms.setMode('ok');
    await stack.app('sealing-worker').start();
    expect(await settled(stack, integrator, id, 30_000)).toMatchObject({ status: 'signed' });
    expect(Date.now() - killedAt).toBeLessThan(30_000);
    await sink.waitFor((delivery) => delivery.body.includes(id), 30_000);
    const events = new Set(
      sink.received.filter((delivery) => delivery.body.includes(id)).map((delivery) => delivery.headers['webhook-id']),
    );
    expect(events.size).toBe(1);
  });

  test('the queue wiped with work pending: nothing is lost', async () => {
    await stack.app('sealing-worker').end('SIGKILL');
    const before = await accept(15);
    await wipeQueues();
    await stack.app('sealing-worker').start();
    const during = await accept(10);
    await wipeQueues();
    const after = await accept(10);
    const ids = [...before, ...during, ...after];
    const ends = await Promise.all(ids.map((id) => settled(stack, integrator, id, 40_000)));
    expect(ends.every((end) => end.status === 'signed')).toBe(true);
    await eventually(() => {
      const bodies = sink.received.map((delivery) => delivery.body).join('\n');
      expect(ids.filter((id) => !bodies.includes(id))).toEqual([]);
    }, 30_000);
  });

  test.each(['5xx', 'throttle'] as const)('KMS answering %s: requests wait and finish later', async (mode) => {
    stack.kms.setMode(mode);
    const ids = await accept(3);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    for (const id of ids) expect((await signature(stack, integrator, id)).status).toBe('pending');
    stack.kms.setMode('ok');
    for (const id of ids) expect((await settled(stack, integrator, id, 40_000)).status).toBe('signed');
  });

  test('KMS gone for good: failed with signing_unavailable, refunded, and announced', async () => {
    const { data: before } = await integrator.platform.GET('/v1/billing/balance');
    stack.kms.setMode('gone');
    const [id] = (await accept(1)) as [string];
    expect(await settled(stack, integrator, id, 60_000)).toMatchObject({
      status: 'failed',
      failure_code: 'signing_unavailable',
      credits_refunded: 40,
    });
    const { data: after } = await integrator.platform.GET('/v1/billing/balance');
    expect(after).toEqual(before);
    const delivery = await sink.waitFor((received) => received.body.includes(id), 45_000);
    expect(JSON.parse(delivery.body)).toMatchObject({ event_type: 'seal.signature.failed' });
  });

  test('Postgres restarted under load: 503 database-unavailable meanwhile, recovery without a restart, nothing lost', async () => {
    const acknowledged: string[] = [];
    const seen = new Map<string, number>();
    let running = true;
    const load = Array.from({ length: 6 }, async () => {
      while (running) {
        const response = await requestSignature(stack, integrator, templateId).catch(() => undefined);
        const body = (await response?.json().catch(() => undefined)) as { id?: string; type?: string } | undefined;
        const outcome = `${response?.status ?? 'no answer'} ${body?.type?.split('/').pop() ?? ''}`.trim();
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
        if (response?.status === 202 && body?.id) acknowledged.push(body.id);
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 700));
    await stack.cluster.restart(1_500);
    await eventually(
      async () => expect((await requestSignature(stack, integrator, templateId)).status).toBe(202),
      15_000,
    );
    running = false;
    await Promise.all(load);
    expect([...seen.keys()].sort()).toEqual(['202', '503 database-unavailable']);
    const ends = await Promise.all(acknowledged.map((id) => settled(stack, integrator, id, 60_000)));
    expect(ends.every((end) => end.status === 'signed')).toBe(true);
    for (const name of ['platform', 'signing', 'sealing-worker', 'webhook-dispatcher'] as const)
      expect(stack.app(name).running).toBe(true);
  });

  test('the dispatcher killed with -9 mid-run: every event arrives', async () => {
    const ids = await accept(20);
    await sink.waitFor((delivery) => ids.some((id) => delivery.body.includes(id)), 45_000);
    await stack.app('webhook-dispatcher').end('SIGKILL');
    await stack.app('webhook-dispatcher').start();
    await eventually(() => {
      const bodies = sink.received.map((delivery) => delivery.body).join('\n');
      expect(ids.filter((id) => !bodies.includes(id))).toEqual([]);
    }, 60_000);
  });

  test('SIGTERM under load: every request that a load balancer sends is answered', async () => {
    const app = stack.app('signing');
    const failures: unknown[] = [];
    let balancing = true;
    let answered = 0;
    const load = Array.from({ length: 8 }, async () => {
      while (balancing) {
        await signature(stack, integrator, 'sig_01h455vb4pex5vsknk084sn02q').catch((error: unknown) => {
          const text = String((error as Error).cause ?? error);
          if (text.includes('answered 404')) answered += 1;
          else failures.push(text);
        });
      }
    });
    const balancer = (async () => {
      while (await app.ready()) await new Promise((resolve) => setTimeout(resolve, 50));
      balancing = false;
    })();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const code = await app.end('SIGTERM');
    await Promise.all([...load, balancer]);
    await app.start();
    expect(code).toBe(0);
    expect(answered).toBeGreaterThan(10);
    expect(failures).toEqual([]);
  });

  if (backend === 'redis') {
    test('Redis gone mid-run: no 5xx, and work goes on when it is back', async () => {
      const statuses = new Set<number>();
      await redis?.kill();
      const ids: string[] = [];
      for (let i = 0; i < 15; i++) {
        const response = await requestSignature(stack, integrator, templateId);
        statuses.add(response.status);
        if (response.status === 202) ids.push(((await response.json()) as { id: string }).id);
      }
      expect([...statuses]).toEqual([202]);
      await redis?.start();
      const ends = await Promise.all(ids.map((id) => settled(stack, integrator, id, 60_000)));
      expect(ends.every((end) => end.status === 'signed')).toBe(true);
    });
  }
});
