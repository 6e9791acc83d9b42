import { eventRecord } from '@constancia/events';
import { uuidFloor, uuidv7 } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';
import { manyDeliveries } from '../webhook-deliveries/many-deliveries.fixture.ts';
import { type EventsQuery, eventsSql } from './list-events.ts';

interface EventBody extends Record<string, unknown> {
  event_id: string;
}
interface PageBody {
  data: EventBody[];
  next_cursor: string | null;
}

let store: TestDatabase;
let platform: RunningPlatform;
let tenant: TestTenant;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningPlatform(store);
});
afterAll(async () => {
  await platform?.close();
  await store?.drop();
});
beforeEach(async () => {
  tenant = await testTenant(store);
});

const idAt = (hoursAgo: number) =>
  uuidFloor(new Date(Date.now() - hoursAgo * 3_600_000)).slice(0, 14) + uuidv7().slice(14);

async function emit(facts: { type?: string; module?: 'seal' | 'identity'; ref?: unknown; hoursAgo?: number } = {}) {
  const { type = 'seal.signature.completed', module = 'seal', ref, hoursAgo = 0 } = facts;
  const payload = ref === undefined ? { nth: 1 } : { external_ref: ref };
  const record = eventRecord({ tenantId: tenant.id, module, type, payload, eventId: idAt(hoursAgo) });
  await store.query('select platform_v1.emit_events($1)', [JSON.stringify([record])]);
  return record.event_id;
}
const get = <Body = PageBody>(path: string, as = tenant) =>
  platform.call<Body>(`/v1/events${path}`, { key: as.apiKey });
const ids = async (query: string) => (await get(query)).body.data.map(({ event_id }) => event_id);

describe('GET /v1/events', () => {
  it('lists every event although no endpoint was ever registered, by each filter and in both orders', async () => {
    const old = await emit({ hoursAgo: 30 });
    const verified = await emit({ type: 'subject.verified', module: 'identity', ref: 'customer-é', hoursAgo: 2 });
    const rejected = await emit({ type: 'subject.rejected', module: 'identity', ref: 'customer-é', hoursAgo: 1 });
    const last = await emit();
    expect(await ids('')).toEqual([last, rejected, verified, old]);
    expect(await ids('?order=asc')).toEqual([old, verified, rejected, last]);
    expect(await ids('?module=identity')).toEqual([rejected, verified]);
    expect(await ids('?event_type=subject.verified')).toEqual([verified]);
    expect(await ids('?event_type=subject.verified&module=seal')).toEqual([]);
    expect(await ids(`?external_ref=${encodeURIComponent('customer-é')}&module=seal`)).toEqual([]);
    expect(await ids(`?external_ref=${encodeURIComponent('customer-é')}`)).toEqual([rejected, verified]);
    expect(await ids(`?from=${new Date(Date.now() - 5_400_000).toISOString()}`)).toEqual([last, rejected]);
    expect(await ids(`?to=${new Date(Date.now() - 86_400_000).toISOString()}&module=seal`)).toEqual([old]);
    const pages: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await get(`?limit=1&module=identity${cursor}`);
      pages.push(...body.data.map(({ event_id }) => event_id));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(pages).toEqual([rejected, verified]);
  });

  it('shows one with its payload and where it stands, and nobody else’s', async () => {
    const eventId = await emit({ ref: 'r-1' });
    const { body } = await get<EventBody>(`/${eventId}`);
    expect(body).toMatchObject({
      event_id: eventId,
      external_ref: 'r-1',
      payload: { external_ref: 'r-1' },
      deliveries: [],
    });
    const stranger = await testTenant(store);
    expect((await get(`/${eventId}`, stranger)).status).toBe(404);
    expect((await get<PageBody>('', stranger)).body.data).toEqual([]);
    expect((await get('/nonsense')).status).toBe(404);
  });

  it('copes with a reference that Postgres does not keep, and with one that is no text', async () => {
    const eventIds = [await emit({ ref: 'a\u0000b' }), await emit({ ref: '\ud800' }), await emit({ ref: null })];
    for (const eventId of eventIds) expect((await get<EventBody>(`/${eventId}`)).body.external_ref).toBeNull();
  });

  it('finds a page of any filter through an index in its order, however many events there are, a rare type too', async () => {
    const rare = { endpointId: uuidv7(), eventType: 'credits.balance.low' };
    await manyDeliveries(store, { tenantId: tenant.id, count: 20_000, endpointId: uuidv7(), rare });
    await store.query('analyze platform.event');
    const cursor = (await get('?module=seal&limit=5')).body.next_cursor ?? undefined;
    const byType = /event_type_event_id_idx|event_by_type/;
    const queries: [Partial<EventsQuery>, RegExp][] = [
      [{}, /tenant_id_event_id_event_type_idx|event_log|_pkey/],
      [{ module: 'billing' }, byType],
      [{ module: 'identity' }, byType],
      [{ module: 'seal', cursor, from: '2026-01-01' }, byType],
      [{ event_type: rare.eventType }, byType],
      [{ external_ref: 'x' }, /external_ref_event_id_idx/],
    ];
    const database = await Database.connect({ url: store.app('platform'), applicationName: 'test', poolSize: 1 });
    for (const [query, index] of queries) {
      const [sql, params] = eventsSql(tenant.id, { limit: 20, order: 'desc', ...query });
      const plan = JSON.stringify(
        await database.tenant(tenant.id, async (tx) => {
          await tx.query('set local enable_seqscan = off'); // most days have no events
          return tx.query(`explain (format json) ${sql}`, params);
        }),
      );
      expect(plan).not.toContain('Seq Scan');
      const used = [...plan.matchAll(/"Index Name":"([^"]*)"/g)].map(([, name]) => name);
      expect(used.filter((name) => !index.test(name ?? ''))).toEqual([]);
      if (index === byType) {
        expect(plan).toMatch(/"Index Cond":"[^"]*ROW\(event_type, event_id\) </);
        expect(plan).not.toMatch(/module = /); // would make reading all rows look cheaper than an index, among millions
      }
    }
    await database.close();
    for (const order of ['asc', 'desc']) {
      const pages: string[] = [];
      for (let cursor = ''; ;) {
        const { body } = await get(`?module=billing&limit=20&from=2026-01-01&order=${order}${cursor}`);
        pages.push(...body.data.map(({ event_id: id }) => id));
        if (body.next_cursor === null) break;
        cursor = `&cursor=${body.next_cursor}`;
      }
      const sorted = [...new Set(pages)].sort();
      expect([pages.length, pages]).toEqual([50, order === 'asc' ? sorted : sorted.reverse()]);
    }
  });
});

describe('replays of what is missing', () => {
  const start = (body: object) =>
    platform.call<Record<string, unknown>>('/webhook-deliveries/replays', {
      method: 'POST',
      key: tenant.apiKey,
      body: { missing: true, ...body },
    });
  const register = async (module = 'seal') =>
    platform.call(`/tenants/${tenant.id}/webhook-endpoints/${module}`, {
      method: 'PUT',
      key: tenant.apiKey,
      body: { url: 'https://hooks.example.com/' },
    });
  const carryOut = async (limit: number) => {
    const runs = await store.query<{ id: string }>("select id from platform.replay_run where tenant_id = $1 and status = 'running'", [tenant.id]); // prettier-ignore
    await Promise.all(runs.map(({ id }) => store.query('select platform.replay_slice($1, $2)', [id, limit])));
    return runs.length;
  };
  const deliveries = () =>
    store.query<{ event_id: string; n: number }>(
      'select event_id, count(*)::int as n from platform.delivery where tenant_id = $1 group by event_id order by event_id',
      [tenant.id],
    );

  it('are counted when dry, then made once each, the oldest first, whichever runs there are at once', async () => {
    const before = [await emit({ hoursAgo: 3 }), await emit({ hoursAgo: 2 }), await emit({ hoursAgo: 1 })];
    await emit({ type: 'subject.verified', module: 'identity' });
    await register();
    const after = await emit();
    expect((await start({ dry_run: true })).body).toMatchObject({ matched: 3, missing: true, status: 'completed' });
    expect(await deliveries()).toEqual([{ event_id: after, n: 1 }]);
    const [one] = [await start({}), await start({})];
    while ((await carryOut(2)) > 0);
    expect(await deliveries()).toEqual([...before, after].sort().map((event_id) => ({ event_id, n: 1 })));
    const shown = await platform.call(`/webhook-deliveries/replays/${String(one.body.id)}`, { key: tenant.apiKey });
    expect(shown.body).toMatchObject({ status: 'completed', missing: true, delivery_status: [] });
    expect((await start({ dry_run: true })).body).toMatchObject({ matched: 0 });
  });

  it('keep to event type, time, endpoint and max, and take no status', async () => {
    await emit({ hoursAgo: 3 });
    await emit({ hoursAgo: 1 });
    await emit({ type: 'seal.envelope.sent', hoursAgo: 1 });
    const { body } = await register();
    const matched = async (facts: object) => (await start({ ...facts, dry_run: true })).body.matched;
    expect(await matched({})).toBe(3);
    expect(await matched({ event_type: 'seal.envelope.sent' })).toBe(1);
    expect(await matched({ from: new Date(Date.now() - 7_200_000).toISOString() })).toBe(2);
    expect(await matched({ endpoint_id: body.id, max: 2 })).toBe(2);
    expect((await start({ endpoint_id: 'whe_01kamx6q7peqh8h51n8zq8y5hc' })).status).toBe(404);
    expect((await start({ status: ['failed'] })).body).toMatchObject({ status: 400, errors: [{ pointer: '/status' }] });
    await start({ max: 2 });
    while ((await carryOut(1)) > 0);
    expect(await deliveries()).toHaveLength(2);
  });
});
