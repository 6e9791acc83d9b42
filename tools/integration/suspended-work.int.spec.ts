import { eventually, testDatabase, type TestDatabase, testTenant, webhookSink } from '@constancia/testing';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../../apps/platform/src/running-platform.fixture.ts';
import {
  emitMany,
  registerEndpoint,
  runningDispatcher,
} from '../../apps/webhook-dispatcher/src/running-dispatcher.fixture.ts';

let store: TestDatabase;
let platform: RunningPlatform;
let ops: OpsPort;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningPlatform(store);
  ops = await opsPortOf(platform.app);
});
afterAll(async () => {
  await ops?.close();
  await platform?.close();
  await store?.drop();
});

const act = (slug: string, action: 'suspend' | 'resume') =>
  ops.post(`/tenants/${slug}/${action}`, { reason: 'ticket 77' });
const suspend = (slug: string) => act(slug, 'suspend');
const resume = (slug: string) => act(slug, 'resume');

describe('what is sent and done for a suspended tenant', () => {
  it('webhooks wait unattempted, and go out in their order once it is resumed', async () => {
    const tenant = await testTenant(store);
    const sink = await webhookSink();
    const endpointId = await registerEndpoint(store, tenant.id, sink.url);
    await suspend(tenant.slug);
    const events: string[] = [];
    for (let nth = 0; nth < 5; nth++) events.push(...(await emitMany(store, tenant.id, 1)).map((one) => one.event_id));
    const dispatcher = await runningDispatcher(store);
    const other = await testTenant(store);
    await registerEndpoint(store, other.id, sink.url);
    const [later] = await emitMany(store, other.id, 1);
    const sent = () => sink.received.map(({ headers }) => headers['webhook-id']);
    await eventually(() => expect(sent()).toEqual([later?.event_id]), 10_000); // the dispatcher works
    const waiting = await store.query(
      `select d.status, d.attempts, e.consecutive_failures, e.enabled
         from platform.delivery d join platform.webhook_endpoint e on e.id = d.endpoint_id where d.tenant_id = $1`,
      [tenant.id],
    );
    expect(waiting).toEqual(Array(5).fill({ status: 'pending', attempts: 0, consecutive_failures: 0, enabled: true }));
    const lag = () => store.query('select open_deliveries::int as open from platform.delivery_lag()');
    await eventually(async () => expect(await lag()).toEqual([{ open: 0 }]), 10_000);
    const claimed = 'select * from platform.claim_deliveries_v2(array[$1]::uuid[], array[5], 30)';
    expect(await store.query(claimed, [endpointId])).toEqual([]); // not even for one who names the endpoint
    await resume(tenant.slug);
    await eventually(() => expect(sent()).toEqual([later?.event_id, ...events]), 20_000);
    await dispatcher.close();
    await sink.close();
  }, 60_000);

  it('monitoring rests, and goes on once it is resumed', async () => {
    const tenant = await testTenant(store);
    const claimed = () =>
      store.query('select tenant_id from compliance.claim_rescreen_v2(30) where tenant_id = $1', [tenant.id]);
    await suspend(tenant.slug);
    await store.query(
      `insert into compliance.rescreen_job (id, tenant_id, list, own, to_version)
       values (gen_random_uuid(), $1, 'internal', true, gen_random_uuid())`,
      [tenant.id],
    );
    const job = () =>
      store.query<{ attempts: number }>('select attempts from compliance.rescreen_job where tenant_id = $1', [
        tenant.id,
      ]);
    expect(await claimed()).toEqual([]);
    expect(await job()).toEqual([{ attempts: 0 }]);
    await resume(tenant.slug);
    expect(await claimed()).toEqual([{ tenant_id: tenant.id }]);
    expect(await job()).toEqual([{ attempts: 1 }]);
  });
});
