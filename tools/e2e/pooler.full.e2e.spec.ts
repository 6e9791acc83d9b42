import { sleep, typeId } from '@constancia/kernel';
import {
  eventually,
  NO_POOLER,
  type Pooler,
  poolerInstalled,
  redisInstalled,
  startRedis,
  testMember,
  type TestRedis,
  type TestStack,
  webhookSink,
  type WebhookSink,
} from '@constancia/testing';
import { MODULES } from '../deploy/modules.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  brokenInvariants,
  inStore,
  type Integrator,
  NO_LIMITS,
  requestSignature,
  settled,
  signUp,
  startDeployment,
} from './deployment.fixture.ts';
import { atRest, type Ground, type Load, notOnce, prepareGround, steadyLoad } from './steady-load.fixture.ts';

/** Connections to the server for each role: fewer than the processes of any of them want at once. */
const POOL_SIZE = 3;
/** Connections of their own over which processes hear notices. */
const LISTENERS = MODULES.reduce((sum, { listens }) => sum + listens, 0);
const KINDS = ['signature', 'screening', 'envelope', 'session', 'document'];

vi.setConfig({ testTimeout: 400_000 });

describe.skipIf(!poolerInstalled)(poolerInstalled ? 'a deployment behind a pooler' : NO_POOLER, () => {
  let redis: TestRedis | undefined;
  let stack: TestStack;
  let pooler: Pooler;
  let sink: WebhookSink;
  let integrator: Integrator;
  let ground: Ground;
  let load: Load;

  beforeAll(async () => {
    redis = redisInstalled ? await startRedis() : undefined;
    stack = await startDeployment({
      redisUrl: redis?.url,
      poolerSize: POOL_SIZE,
      env: { ...NO_LIMITS, DRAIN_SECONDS: '2', RATE_LIMIT_WRONG_KEY: '1000000' },
    });
    pooler = stack.pooler as Pooler;
    sink = await webhookSink();
    integrator = await signUp(stack);
    ground = await prepareGround(stack, sink, integrator);
    load = steadyLoad(stack, ground, 2);
  });
  afterAll(async () => {
    await load?.stop();
    await stack?.close();
    await sink?.close();
    await redis?.kill();
  });

  /** Waits until the load has done more of everything. */
  async function everythingWorks(): Promise<void> {
    const before = { ...load.done };
    await eventually(() => {
      expect(KINDS.filter((kind) => (load.done[kind] ?? 0) < (before[kind] ?? 0) + 1)).toEqual([]);
    }, 120_000); // reading a document takes long on a machine that does other things too
  }

  /** Asks for a signature until it is accepted, with one Idempotency-Key, as an integrator does after a failure. */
  async function accepted(): Promise<{ id: string; attempts: number }> {
    const key = crypto.randomUUID();
    for (let attempts = 1; ; attempts += 1) {
      const response = await requestSignature(stack, integrator, ground.templateId, { key });
      const body = (await response.json()) as { id: string };
      if (response.status === 202) return { id: body.id, attempts };
      expect([409, 503]).toContain(response.status); // 409: the first attempt is still under way
      await sleep(50);
    }
  }

  it('does everything, over the connections of the pooler and those that listen', async () => {
    await everythingWorks();
    expect(load.failures).toEqual([]);
    const connections = await inStore<{ role: string; listens: boolean; count: number }>(
      stack,
      `select usename as role, application_name like '%-listen' as listens, count(*)::int as count
         from pg_stat_activity where usename like '%\\_app' and usename <> 'queue_app' group by 1, 2`,
    );
    const pooled = connections.filter(({ listens }) => !listens);
    expect(pooled.map(({ role }) => role).sort()).toEqual(['compliance_app', 'identity_app', 'platform_app', 'signing_app']); // prettier-ignore
    for (const { role, count } of pooled) expect(count, role).toBeLessThanOrEqual(POOL_SIZE);
    const listening = connections.filter(({ listens }) => listens).reduce((sum, { count }) => sum + count, 0);
    expect(listening).toBe(LISTENERS);
  });

  it('hears of a suspended member within a second', async () => {
    const store = { query: <Row>(sql: string, params?: unknown[]) => inStore<Row>(stack, sql, params) };
    const owner = await testMember(store, integrator.tenantId, 'owner');
    const member = await testMember(store, integrator.tenantId, 'auditor');
    const statuses = (token: string) =>
      Promise.all(
        [`${stack.baseUrl}/v1/billing/balance`, `${stack.complianceUrl}/v1/cases`, `${stack.signingUrl}/v1/templates`].map(
          async (url) => (await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).status,
        ),
      ); // prettier-ignore
    expect(await statuses(member.token)).toEqual([200, 200, 200]);
    const suspended = await fetch(`${stack.baseUrl}/v1/members/${typeId('mbr', member.id)}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${owner.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ status: 'suspended' }),
    });
    expect(suspended.status).toBe(200);
    await eventually(async () => expect(await statuses(member.token)).toEqual([401, 401, 401]), 1_000);
  });

  it.each(['drain', 'kill'] as const)('a %s of the pooler under load: what fails says so, and all goes on by itself', async (end) => {
    await everythingWorks();
    load.failures.length = 0;
    let restarting = true;
    const clients = Array.from({ length: 4 }, async () => {
      const answers = [];
      while (restarting) answers.push(await accepted());
      return answers;
    });
    await sleep(1_000);
    await pooler[end]();
    await sleep(1_500);
    await pooler.start();
    await sleep(1_000);
    restarting = false;
    const answers = (await Promise.all(clients)).flat();
    console.log(`${end}: ${answers.length} accepted, ${answers.filter(({ attempts }) => attempts > 1).length} after a failure; the load: ${load.failures.length} failures`); // prettier-ignore
    expect(answers.some(({ attempts }) => attempts > 1)).toBe(true);
    expect(load.failures.filter((failure) => !failure.includes('503'))).toEqual([]);

    // Each key was worked on once, whatever was asked again.
    const ids = answers.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect((await settled(stack, integrator, id, 60_000)).status).toBe('signed');
    load.failures.length = 0;
    await everythingWorks();
    expect(load.failures).toEqual([]);
  }); // prettier-ignore

  it('nothing was lost, nothing was done or charged twice', async () => {
    await load.stop();
    await atRest(stack, 90_000);
    console.log(`in all: ${JSON.stringify(load.done)}`);
    expect(await brokenInvariants(stack)).toEqual([]);
    expect((await notOnce(stack, sink, integrator.tenantId)).filter((line) => line.endsWith(': 0'))).toEqual([]);
  });
});
