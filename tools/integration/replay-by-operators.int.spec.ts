import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  eventually,
  testDatabase,
  type TestDatabase,
  testTenant,
  webhookSink,
  type WebhookSink,
} from '@constancia/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';
import {
  dispatcherProcess,
  emitMany,
  registerEndpoint,
} from '../../apps/webhook-dispatcher/src/running-dispatcher.fixture.ts';
import { type RunningPlatform, runningPlatform } from '../../apps/platform/src/running-platform.fixture.ts';

interface Run extends Record<string, unknown> {
  id: string;
  status: string;
  replayed: number;
}

const EACH = 120;

let store: TestDatabase;
let platform: RunningPlatform;
let ops: OpsPort;
let sink: WebhookSink;
const children: ChildProcess[] = [];

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningPlatform(store);
  ops = await opsPortOf(platform.app);
  sink = await webhookSink();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await sink?.close();
  await ops?.close();
  await platform?.close();
  await store?.drop();
});

async function startDispatcher(): Promise<ChildProcess> {
  const child = await dispatcherProcess(store);
  children.push(child);
  return child;
}

it('a replay across tenants outlives the dispatcher that carried it out: everything goes once more, to the byte', async () => {
  const emitted = new Map<string, string>();
  for (let nth = 0; nth < 2; nth++) {
    const tenant = await testTenant(store);
    await registerEndpoint(store, tenant.id, `${sink.url}/hooks`);
    for (const { event_id, body } of await emitMany(store, tenant.id, EACH)) emitted.set(event_id, body);
  }
  await store.query(
    `update platform.delivery set status = 'failed', next_attempt_at = null, failed_at = now(), attempts = 12, schedule_step = 12`,
  );
  await store.query('update platform.webhook_endpoint set consecutive_failures = 3, first_failure_at = now()');
  const { body: run } = await ops.post<Run>('/replays', { all_tenants: true, rate: 60, reason: 'INC-7' });
  expect(run).toMatchObject({ matched: 2 * EACH, status: 'running' });
  const shown = async () => (await ops.get<Run>(`/replays/${run.id}`)).body;

  const first = await startDispatcher();
  await eventually(async () => expect((await shown()).replayed).toBeGreaterThanOrEqual(60));
  first.kill('SIGKILL');
  await once(first, 'exit');
  expect((await shown()).status).toBe('running');
  await store.query("update platform.delivery set lease_until = now() where status = 'delivering'"); // 30 s later

  await startDispatcher();
  await eventually(
    async () => expect(await shown()).toMatchObject({ status: 'completed', replayed: 2 * EACH }),
    20_000,
  );
  await eventually(async () => {
    const [open] = await store.query<{ open: number }>(
      "select count(*)::int as open from platform.delivery where status <> 'delivered'",
    );
    expect(open?.open).toBe(0);
  }, 20_000);
  const got = new Map(sink.received.map(({ headers, body }) => [headers['webhook-id'], body.toString()]));
  expect(got).toEqual(emitted);
  const [health] = await store.query('select max(consecutive_failures) as failures from platform.webhook_endpoint');
  expect(health).toEqual({ failures: 0 }); // a success counts, as that of any attempt
});
