import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { EventRecord } from '@constancia/events';
import { uuidFloor, uuidv7 } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import {
  eventually,
  testDatabase,
  type TestDatabase,
  testTenant,
  webhookSink,
  type WebhookSink,
  wipePostgresQueues,
} from '@constancia/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ClaimedDelivery, Deliveries } from './deliveries.ts';
import {
  deliveriesOf,
  dispatcherProcess,
  emitMany,
  registerEndpoint,
  type StoredDelivery,
} from '../running-dispatcher.fixture.ts';

let store: TestDatabase;
let database: Database;
const children: ChildProcess[] = [];
const receivers: WebhookSink[] = [];

beforeAll(async () => {
  store = await testDatabase();
  database = await Database.connect({ url: store.app('platform'), applicationName: 'test' });
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const open of receivers.splice(0)) await open.close();
});
afterAll(async () => {
  await database?.close();
  await store?.drop();
});

async function startProcess(): Promise<ChildProcess> {
  const child = await dispatcherProcess(store);
  children.push(child);
  return child;
}

async function tenantWithReceiver() {
  const tenant = await testTenant(store);
  const sink = await webhookSink();
  receivers.push(sink);
  return { tenant, sink, endpointId: await registerEndpoint(store, tenant.id, `${sink.url}/hooks`) };
}

/** The id of an event of as many days from now, without moving the time of the next ids. */
const uuidv7At = (days: number) =>
  uuidFloor(new Date(Date.now() + days * 86_400_000)).slice(0, 14) + uuidv7().slice(14);

const eventIds = (sink: WebhookSink) => sink.received.map((request) => request.headers['webhook-id'] as string);

const attempt = () => ({
  at: new Date(),
  durationMs: 1,
  firstByteMs: 1,
  httpStatus: 200,
  retryAfter: null,
  excerpt: null,
  error: null,
});
const DELIVERED = {
  outcome: 'delivered',
  retryMs: null,
  pauseMs: null,
  gone: false,
  errorCode: null,
  errorDetail: null,
} as const;

const GONE = { ...DELIVERED, outcome: 'failed', gone: true, errorCode: 'gone', errorDetail: 'Gone.' } as const;

describe('a lease', () => {
  it('is held by one, and a result written after it has ended and been taken over is dropped', async () => {
    const { tenant, endpointId } = await tenantWithReceiver();
    const [record] = await emitMany(store, tenant.id, 1);
    const deliveries = new Deliveries(database);
    const [late] = await deliveries.claim(endpointId, 10);
    expect(await deliveries.claim(endpointId, 10)).toEqual([]);
    await store.query("update platform.delivery set lease_until = now() - interval '1 s' where endpoint_id = $1", [
      endpointId,
    ]);
    const [next] = await deliveries.claim(endpointId, 10);
    expect(next?.delivery_id).toBe(late?.delivery_id);
    expect(await deliveries.record(late as NonNullable<typeof late>, attempt(), DELIVERED)).toBe(false);
    const [held] = await deliveriesOf(store, (record as NonNullable<typeof record>).event_id);
    expect(held).toMatchObject({ status: 'delivering', attempts: 0 });
    expect(await deliveries.record(next as NonNullable<typeof next>, attempt(), DELIVERED)).toBe(true);
    expect(await deliveries.record(next as NonNullable<typeof next>, attempt(), DELIVERED)).toBe(false);
    const rows = await store.query('select 1 from platform.delivery_attempt where delivery_id = $1', [
      next?.delivery_id,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('that is given back leaves the delivery as it was', async () => {
    const { tenant, endpointId } = await tenantWithReceiver();
    const [record] = (await emitMany(store, tenant.id, 1)) as [EventRecord];
    const [before] = (await deliveriesOf(store, record.event_id)) as [StoredDelivery];
    const deliveries = new Deliveries(database);
    const [claimed] = await deliveries.claim(endpointId, 1);
    await deliveries.release(claimed as NonNullable<typeof claimed>);
    expect(await deliveriesOf(store, record.event_id)).toEqual([before]);
  });

  it('shares the work of many claimers without giving anything twice', async () => {
    const { tenant, endpointId } = await tenantWithReceiver();
    await emitMany(store, tenant.id, 400);
    const others = await Promise.all(
      [1, 2, 3, 4].map(() => Database.connect({ url: store.app('platform'), applicationName: 'test', poolSize: 4 })),
    );
    const claimed = await Promise.all(
      others.flatMap((other) => Array.from({ length: 5 }, () => new Deliveries(other).claim(endpointId, 50))),
    );
    const ids = claimed.flat().map((delivery) => delivery.delivery_id);
    expect(new Set(ids).size).toBe(ids.length);
    await Promise.all(others.map((other) => other.close()));
    const rest = (await new Deliveries(database).claim(endpointId, 400)).map((delivery) => delivery.delivery_id);
    expect(new Set([...ids, ...rest]).size).toBe(400);
  });
});

describe('a result of an endpoint’s former URL', () => {
  it('ends its delivery and says nothing about the URL that is there now', async () => {
    const { tenant, endpointId } = await tenantWithReceiver();
    await emitMany(store, tenant.id, 2);
    const deliveries = new Deliveries(database);
    const [one, other] = (await deliveries.claim(endpointId, 2)) as [ClaimedDelivery, ClaimedDelivery];
    const endpoint = () =>
      store.query('select enabled, consecutive_failures from platform.webhook_endpoint where id = $1', [endpointId]);

    await registerEndpoint(store, tenant.id, 'https://new.example/hooks');
    expect(await deliveries.record(one, attempt(), GONE)).toBe(true);
    expect(await endpoint()).toEqual([{ enabled: true, consecutive_failures: 0 }]);

    await registerEndpoint(store, tenant.id, other.url);
    expect(await deliveries.record(other, attempt(), GONE)).toBe(true);
    expect(await endpoint()).toEqual([{ enabled: false, consecutive_failures: 1 }]);
  });
});

describe('emitting', () => {
  it('the same event again changes nothing', async () => {
    const { tenant } = await tenantWithReceiver();
    const [record] = (await emitMany(store, tenant.id, 1)) as [EventRecord];
    await store.query('select platform_v1.emit_events($1)', [JSON.stringify([record])]);
    expect(await deliveriesOf(store, record.event_id)).toHaveLength(1);
  });

  it('for another tenant than the transaction’s is refused', async () => {
    const [one, other] = [await testTenant(store), await testTenant(store)];
    const emit = database.tenant(one.id, (tx) =>
      tx.query('select platform_v1.emit_event($1, $2, $3, $4, now(), $5, null)', [
        uuidv7(),
        other.id,
        'seal',
        'x',
        '{}',
      ]),
    );
    await expect(emit).rejects.toMatchObject({ code: 'CN403' });
  });

  it('keeps an event that lies outside every day’s partition, and sorts it in when its day comes', async () => {
    const tenant = await testTenant(store);
    const later = uuidv7(Date.now() + 9 * 86_400_000);
    await store.query('select platform_v1.emit_event($1, $2, $3, $4, now(), $5, null)', [
      later,
      tenant.id,
      'seal',
      'seal.signature.completed',
      '{}',
    ]);
    const where = () =>
      store.query('select tableoid::regclass::text as "table" from platform.event where event_id = $1', [later]);
    expect(await where()).toEqual([{ table: 'platform.event_default' }]);
    await store.query('select platform.maintain_partitions(10, 30)');
    expect((await where())[0]?.table).toMatch(/^platform\.event_\d{8}$/);
  });

  it('does not keep an event for ever because its day had no partition', async () => {
    const tenant = await testTenant(store);
    const [old, kept] = [uuidv7At(-40), uuidv7At(-20)];
    for (const id of [old, kept])
      await store.query(`select platform_v1.emit_event($1, $2, 'seal', 'endpoint.test', now(), '{}', null)`, [
        id,
        tenant.id,
      ]);
    await store.query('select platform.maintain_partitions(7, 30)');
    expect(await store.query('select event_id from platform.event where tenant_id = $1', [tenant.id])).toEqual([
      { event_id: kept },
    ]);
  });
});

describe('a dispatcher that is killed', () => {
  it('loses nothing: another one delivers all the rest, and twice only what was under way', async () => {
    const { tenant, sink } = await tenantWithReceiver();
    sink.behave((response) => setTimeout(() => response.writeHead(200).end(), 20));
    const first = await startProcess();
    const records = await emitMany(store, tenant.id, 300);
    await eventually(() => expect(sink.received.length).toBeGreaterThan(60), 10_000, 5);
    first.kill('SIGKILL');
    await once(first, 'exit');
    const beforeKill = sink.received.length;
    expect(beforeKill).toBeLessThan(300);
    // Its leases end by themselves within 20 s; the test does not wait so long.
    await store.query('update platform.delivery set lease_until = now() where lease_until is not null');
    await startProcess();
    await eventually(async () => {
      const open = await store.query('select 1 from platform.delivery where tenant_id = $1 and status <> $2', [
        tenant.id,
        'delivered',
      ]);
      expect(open).toHaveLength(0);
    }, 20_000);
    expect(new Set(eventIds(sink))).toEqual(new Set(records.map((record) => record.event_id)));
    expect(sink.received.length - 300).toBeLessThan(120);
    for (const record of records) {
      const bodies = sink.received.filter((request) => request.headers['webhook-id'] === record.event_id);
      expect(bodies.every((request) => request.body === record.body)).toBe(true);
    }
  });

  it('with SIGTERM instead ends what is under way, gives back the rest, and nothing is sent twice', async () => {
    const { tenant, sink } = await tenantWithReceiver();
    sink.behave((response) => setTimeout(() => response.writeHead(200).end(), 20));
    const first = await startProcess();
    const records = await emitMany(store, tenant.id, 300);
    await eventually(() => expect(sink.received.length).toBeGreaterThan(30), 10_000, 5);
    first.kill('SIGTERM');
    expect((await once(first, 'exit'))[0]).toBe(0);
    const leased = await store.query(
      'select 1 from platform.delivery where tenant_id = $1 and lease_token is not null',
      [tenant.id],
    );
    expect(leased).toHaveLength(0);
    expect(sink.received.length).toBeLessThan(300);
    await startProcess();
    await eventually(() => expect(sink.received.length).toBe(300), 20_000);
    expect(new Set(eventIds(sink))).toEqual(new Set(records.map((record) => record.event_id)));
  });
});

describe('a queue that is wiped', () => {
  it('costs nothing: the sweep finds the work', async () => {
    const { tenant, sink } = await tenantWithReceiver();
    await startProcess();
    await wipePostgresQueues((sql) => store.query(sql));
    await emitMany(store, tenant.id, 50);
    await eventually(() => expect(new Set(eventIds(sink)).size).toBe(50), 10_000);
  });
});
