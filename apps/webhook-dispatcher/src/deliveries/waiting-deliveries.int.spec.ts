import { Database } from '@constancia/persistence';
import {
  eventually,
  testDatabase,
  type TestDatabase,
  testTenant,
  webhookSink,
  type WebhookSink,
} from '@constancia/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Deliveries } from './deliveries.ts';
import { deliveriesOf, emitMany, registerEndpoint, runningDispatcher } from '../running-dispatcher.fixture.ts';

let store: TestDatabase;
let database: Database;
let dispatcher: INestApplicationContext | undefined;
const receivers: WebhookSink[] = [];

beforeAll(async () => {
  store = await testDatabase();
  database = await Database.connect({ url: store.app('platform'), applicationName: 'test' });
});
afterEach(async () => {
  await dispatcher?.close();
  dispatcher = undefined;
  for (const open of receivers.splice(0)) await open.close();
});
afterAll(async () => {
  await database?.close();
  await store?.drop();
});

async function tenantWithReceiver(enabled = true) {
  const tenant = await testTenant(store);
  const sink = await webhookSink();
  receivers.push(sink);
  const endpointId = await registerEndpoint(store, tenant.id, `${sink.url}/hooks`);
  await enable(endpointId, enabled);
  return { tenant, sink, endpointId };
}

/** As a PUT of the former release does it: without a word about the deliveries. */
const enable = (endpointId: string, enabled: boolean) =>
  store.query('update platform.webhook_endpoint set enabled = $2 where id = $1', [endpointId, enabled]);
const sent = (sink: WebhookSink) => sink.received.map(({ headers }) => headers['webhook-id'] as string);
const statuses = async (tenantId: string) =>
  store.query<{ event_id: string; status: string; last_error: string | null }>(
    'select event_id, status, last_error from platform.delivery where tenant_id = $1 order by id',
    [tenantId],
  );
const age = (tenantId: string, hours: number) =>
  store.query(
    `update platform.delivery set next_attempt_at = next_attempt_at - make_interval(hours => $2),
       created_at = created_at - make_interval(hours => $2) where tenant_id = $1`,
    [tenantId, hours],
  );

describe('events that are emitted while their endpoint is disabled', () => {
  it('wait, and are sent in their order when it is enabled', async () => {
    const { tenant, sink, endpointId } = await tenantWithReceiver(false);
    const first = await emitMany(store, tenant.id, 1);
    const rest = [...(await emitMany(store, tenant.id, 1)), ...(await emitMany(store, tenant.id, 1))];
    const records = [...first, ...rest];
    dispatcher = await runningDispatcher(store);
    await new Promise((resolve) => setTimeout(resolve, 900)); // three sweeps
    expect((await statuses(tenant.id)).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
    expect(sink.received).toEqual([]);
    await enable(endpointId, true);
    await eventually(() => expect(sink.received).toHaveLength(3));
    expect(sent(sink)).toEqual(records.map(({ event_id }) => event_id));
    await eventually(async () => expect(await statuses(tenant.id)).toMatchObject(records.map(() => ({ status: 'delivered' })))); // prettier-ignore
  });

  it('are neither claimed nor due, and count as no delay before nor after it is enabled', async () => {
    const { tenant, endpointId } = await tenantWithReceiver(false);
    await emitMany(store, tenant.id, 3);
    await age(tenant.id, 5);
    const deliveries = new Deliveries(database);
    const due = async () => (await deliveries.dueEndpoints(1_000)).filter(({ endpoint_id }) => endpoint_id === endpointId); // prettier-ignore
    expect(await due()).toEqual([]);
    expect(await deliveries.claim(endpointId, 10)).toEqual([]);
    expect(await store.query('select 1 from platform.claim_deliveries($1, $2, 20)', [[endpointId], [10]])).toEqual([]);
    expect((await deliveries.lag()).overdueSeconds).toBeLessThan(3_600);
    await enable(endpointId, true);
    const lag = await deliveries.lag();
    expect(lag.overdueSeconds).toBeLessThan(3_600);
    expect(lag.oldestSeconds).toBeLessThan(3_600);
    expect(await due()).toMatchObject([{ state: 'due' }]);
    expect((await deliveries.claim(endpointId, 10)).map(({ waited }) => waited)).toEqual([true, true, true]);
  });

  it('wait through a pause as well, and what is emitted afterwards has not waited', async () => {
    const { tenant, endpointId } = await tenantWithReceiver();
    await store.query("update platform.webhook_endpoint set paused_until = now() + interval '1 h' where id = $1", [
      endpointId,
    ]);
    await emitMany(store, tenant.id, 1);
    const deliveries = new Deliveries(database);
    expect(await deliveries.claim(endpointId, 10)).toEqual([]);
    await store.query('update platform.webhook_endpoint set paused_until = null where id = $1', [endpointId]);
    await emitMany(store, tenant.id, 1);
    expect((await deliveries.claim(endpointId, 10)).map(({ waited }) => waited)).toEqual([true, false]);
  });

  it('fail as endpoint_deleted when it is deleted instead', async () => {
    const { tenant, endpointId } = await tenantWithReceiver(false);
    const [record] = await emitMany(store, tenant.id, 1);
    dispatcher = await runningDispatcher(store);
    await store.query('delete from platform.webhook_endpoint where id = $1', [endpointId]);
    await eventually(async () =>
      expect(await deliveriesOf(store, record?.event_id ?? '')).toMatchObject([
        { status: 'failed', last_error: 'endpoint_deleted' },
      ]),
    );
  });

  it('are kept as long as events are, and go after them', async () => {
    const { tenant } = await tenantWithReceiver(false);
    await emitMany(store, tenant.id, 1);
    await store.query(
      'update platform.delivery set id = platform.uuid_floor(now() - $2::interval) where tenant_id = $1',
      [tenant.id, '31 days'],
    );
    await store.query('select platform.prune_deliveries(30, 100)');
    expect(await statuses(tenant.id)).toHaveLength(1);
    await store.query(
      'update platform.delivery set id = platform.uuid_floor(now() - $2::interval) where tenant_id = $1',
      [tenant.id, '33 days'],
    );
    await store.query('select platform.prune_deliveries(30, 100)');
    expect(await statuses(tenant.id)).toHaveLength(0);
  });
});

describe('an endpoint that is disabled and enabled again and again while events are emitted', () => {
  it('gets each event exactly once: nothing is lost and nothing is made twice', async () => {
    const { tenant, sink, endpointId } = await tenantWithReceiver();
    dispatcher = await runningDispatcher(store);
    const emitted: string[] = [];
    let emitting = true;
    const emitters = [1, 2, 3, 4].map(async () => {
      for (let round = 0; round < 40; round++) {
        emitted.push(...(await emitMany(store, tenant.id, 3)).map(({ event_id }) => event_id));
      }
    });
    const toggles = (async () => {
      for (let enabled = false; emitting; enabled = !enabled) {
        await enable(endpointId, enabled);
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
      await enable(endpointId, true);
    })();
    await Promise.all(emitters);
    emitting = false;
    await toggles;
    const rows = await statuses(tenant.id);
    expect(rows.map(({ event_id }) => event_id).sort()).toEqual(emitted.toSorted());
    await eventually(async () => {
      const open = (await statuses(tenant.id)).filter(({ status }) => status !== 'delivered');
      expect(open).toEqual([]);
    }, 20_000);
    expect(sent(sink).sort()).toEqual(emitted.toSorted());
  });
});
