import { endpointIdOf, eventRecord } from '@constancia/events';
import { typeId, uuidFloor, uuidv7 } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';
import { deliveriesSql } from './list-deliveries.ts';

interface DeliveryBody extends Record<string, unknown> {
  id: string;
  event_id: string;
  status: string;
}
interface PageBody {
  data: DeliveryBody[];
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
  for (const module of ['seal', 'identity'] as const) {
    await store.query('insert into platform.webhook_endpoint (id, tenant_id, module, url) values ($1, $2, $3, $4)', [
      endpointIdOf(tenant.id, module),
      tenant.id,
      module,
      'https://hooks.example.com/',
    ]);
  }
});

const call = <Body = DeliveryBody>(path: string, options: { method?: string; body?: unknown; as?: TestTenant } = {}) =>
  platform.call<Body>(path, { ...options, key: (options.as ?? tenant).apiKey });
const list = async (query = '') => (await call<PageBody>(`/webhook-deliveries${query}`)).body;

const idAt = (instant: Date) => uuidFloor(instant).slice(0, 14) + uuidv7().slice(14);

/** Events an hour apart, the first the oldest; answers their ids. */
async function emit(count: number, type = 'seal.signature.completed', module: 'seal' | 'identity' = 'seal') {
  const records = Array.from({ length: count }, (_, nth) =>
    eventRecord({
      tenantId: tenant.id,
      module,
      type,
      payload: { nth },
      eventId: idAt(new Date(Date.now() - (count - nth) * 3_600_000)),
    }),
  );
  await store.query('select platform_v1.emit_events($1)', [JSON.stringify(records)]);
  return records.map((record) => record.event_id);
}

const settle = (status: 'failed' | 'delivered', eventIds: string[]) =>
  store.query(
    `update platform.delivery set status = $1, next_attempt_at = null, attempts = 12, schedule_step = 12,
       failed_at = case when $1 = 'failed' then now() end where event_id = any ($2)`,
    [status, eventIds],
  );

/** The next slice of the run that is due for longest; no run when none is. */
async function replaySlice(limit: number): Promise<{ run_id: string | null; endpoints: string[] }[]> {
  const [claim] = await store.query<{ run_id: string | null }>('select platform.claim_replay(0) as run_id');
  return store.query('select $1::uuid as run_id, platform.replay_slice($1, $2) as endpoints', [
    claim?.run_id ?? null,
    limit,
  ]);
}

describe('GET /webhook-deliveries', () => {
  it('pages through all, newest event first, each once while new ones arrive', async () => {
    const eventIds = await emit(7);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await list(`?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.data.map((delivery) => delivery.event_id));
      cursor = page.next_cursor ?? '';
      await emit(1);
    } while (cursor);
    expect(seen).toEqual([...eventIds].reverse());
  });

  it.each(['desc', 'asc'])('pages through several types of a module in the order of the events (%s)', async (order) => {
    const signed = await emit(3);
    const sent = await emit(3, 'seal.envelope.sent');
    await emit(2, 'subject.verified', 'identity');
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await list(`?module=seal&order=${order}&limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.data.map((delivery) => delivery.event_id));
      cursor = page.next_cursor ?? '';
    } while (cursor);
    const oldestFirst = [...signed, ...sent].sort();
    expect(seen).toEqual(order === 'asc' ? oldestFirst : oldestFirst.reverse());
  });

  it('filters by status, module, event type, event and time', async () => {
    const [oldest, middle, newest] = (await emit(3)) as [string, string, string];
    const [other] = (await emit(1, 'subject.verified', 'identity')) as [string];
    await settle('failed', [middle]);
    const ids = async (query: string) => (await list(query)).data.map((delivery) => delivery.event_id);
    expect(await ids('?status=failed')).toEqual([middle]);
    expect(await ids('?status=pending&module=seal')).toEqual([newest, oldest]);
    expect(await ids('?module=identity')).toEqual([other]);
    expect(await ids('?event_type=subject.verified')).toEqual([other]);
    expect(await ids('?event_type=subject.verified&module=seal')).toEqual([]);
    expect(await ids('?status=pending&module=identity')).toEqual([other]);
    expect(await ids(`?event_id=${oldest}`)).toEqual([oldest]);
    const from = new Date(Date.now() - 2.5 * 3_600_000).toISOString();
    const to = new Date(Date.now() - 1.5 * 3_600_000).toISOString();
    expect(await ids(`?from=${from}&to=${to}`)).toEqual([middle]);
    expect(await ids('?to=1969-01-01')).toEqual([]);
    expect(await ids('?status=delivering')).toEqual([]);
  });

  it('finds the few that are open, and those of an endpoint, a type or a module, through an index of their own', async () => {
    await emit(3);
    await store.query(
      `insert into platform.delivery (id, event_id, tenant_id, endpoint_id, module, event_type, status, next_attempt_at)
       select platform.uuid_v7(), platform.uuid_v7(), $1, $2, 'seal', 'x', 'delivered', null from generate_series(1, 20000)`,
      [tenant.id, endpointIdOf(tenant.id, 'seal')],
    );
    await store.query('analyze platform.delivery');
    const database = await Database.connect({ url: store.app('platform'), applicationName: 'test', poolSize: 1 });
    for (const status of ['pending', 'delivering'] as const) {
      const [sql, params] = deliveriesSql(tenant.id, { status, limit: 20, order: 'desc' });
      const plan = await database.tenant(tenant.id, (tx) => tx.query(`explain (format json) ${sql}`, params));
      expect(JSON.stringify(plan)).toContain('"Index Name":"delivery_open"');
    }
    for (const filter of [{ endpoint_id: typeId('whe', uuidv7()) }, { event_type: 'y' }, { module: 'seal' as const }]) {
      const [sql, params] = deliveriesSql(tenant.id, { ...filter, limit: 20, order: 'desc' });
      const plan = await database.tenant(tenant.id, (tx) => tx.query(`explain (format json) ${sql}`, params));
      const used = [...JSON.stringify(plan).matchAll(/"(?:Index|Relation) Name":"(delivery[^"]*)"/g)].map(
        ([, name]) => name,
      );
      expect(new Set(used)).toEqual(new Set(['delivery', 'delivery_by_endpoint'])); // the pairs, and the rows of each
      expect(JSON.stringify(plan)).toMatch(/"Index Cond":"[^"]*ROW\(endpoint_id, event_type, event_id\) </);
      // Compared in each row, a module that few have would make all rows look cheaper than an index, among millions.
      expect(JSON.stringify(plan)).not.toMatch(/module = /);
    }
    await database.close();
    expect((await list('?status=pending')).data).toHaveLength(3);
  });

  it('finds what a dispatcher left behind when it died under pending, as it is shown', async () => {
    const [eventId] = (await emit(1)) as [string];
    const lease = (until: string) =>
      store.query(
        "update platform.delivery set status = 'delivering', lease_until = now() + $2::interval where event_id = $1",
        [eventId, until],
      );
    const found = async (status: string) => (await list(`?status=${status}`)).data.map((delivery) => delivery.status);
    await lease('10 s');
    expect([await found('pending'), await found('delivering')]).toEqual([[], ['delivering']]);
    await lease('-1 s');
    expect([await found('pending'), await found('delivering')]).toEqual([['pending'], []]);
  });

  it.each(['status=lost', 'module=money', 'event_id=1', 'from=yesterday', 'limit=101', 'cursor=x', 'color=red'])(
    'refuses ?%s',
    async (query) => {
      const { status, body } = await call(`/webhook-deliveries?${query}`);
      expect(status).toBe(400);
      expect(body.errors).toMatchObject([{ pointer: `/query/${query.split('=')[0]}` }]);
    },
  );
});

describe('GET /webhook-deliveries/{id}', () => {
  it('shows the attempts with what the receiver answered', async () => {
    await emit(1);
    const [{ id }] = (await list()).data as [DeliveryBody];
    const [row] = await store.query<{ id: string }>('select id from platform.delivery where tenant_id = $1', [
      tenant.id,
    ]);
    const attempt = (number: number, status: number | null, error: string | null) =>
      store.query(
        `insert into platform.delivery_attempt (id, delivery_id, tenant_id, number, at, duration_ms, first_byte_ms, url,
           http_status, error_code, error_detail, response_excerpt)
         values ($1, $2, $3, $4, now(), 42, 40, 'https://hooks.example.com/', $5, $6, $7, 'oops')`,
        [uuidv7(), row?.id, tenant.id, number, status, error, error && 'What happened.'],
      );
    await attempt(1, null, 'timeout');
    await attempt(2, 200, null);
    const { body } = await call(`/webhook-deliveries/${id}`);
    expect(body.attempts).toMatchObject([
      { number: 1, http_status: null, error: { code: 'timeout', detail: 'What happened.' }, duration_ms: 42 },
      { number: 2, http_status: 200, error: null, response_excerpt: 'oops' },
    ]);
  });

  it('is 404 for another tenant, byte-identical to an unknown id', async () => {
    await emit(1);
    const [{ id }] = (await list()).data as [DeliveryBody];
    const stranger = await testTenant(store);
    const bare = ({ instance: _, request_id: __, ...rest }: Record<string, unknown>) => rest;
    for (const [method, suffix] of [
      ['GET', ''],
      ['POST', '/replay'],
    ] as const) {
      const foreign = await call(`/webhook-deliveries/${id}${suffix}`, { method, as: stranger });
      const unknown = await call(`/webhook-deliveries/${typeId('dlv')}${suffix}`, { method, as: stranger });
      const nonsense = await call(`/webhook-deliveries/nonsense${suffix}`, { method, as: stranger });
      expect([foreign.status, unknown.status, nonsense.status]).toEqual([404, 404, 404]);
      expect(bare(foreign.body)).toEqual(bare(unknown.body));
      expect(bare(foreign.body)).toEqual(bare(nonsense.body));
    }
  });
});

describe('POST /webhook-deliveries/{id}/replay', () => {
  it.each(['failed', 'delivered'] as const)(
    'puts a %s delivery back in line with the whole schedule',
    async (status) => {
      const eventIds = await emit(1);
      await settle(status, eventIds);
      const [{ id }] = (await list()).data as [DeliveryBody];
      const replayed = await call(`/webhook-deliveries/${id}/replay`, { method: 'POST' });
      expect(replayed.status).toBe(202);
      expect(replayed.body).toMatchObject({ id, status: 'pending', event_id: eventIds[0], attempt_count: 12 });
      const [row] = await store.query('select schedule_step, failed_at from platform.delivery where tenant_id = $1', [
        tenant.id,
      ]);
      expect(row).toEqual({ schedule_step: 0, failed_at: null });
    },
  );

  it('is refused while it is attempted, and without an enabled endpoint or the stored body: the answer names the one cause', async () => {
    const eventIds = await emit(1);
    const [{ id }] = (await list()).data as [DeliveryBody];
    const replay = async () => {
      const { status, body } = await call(`/webhook-deliveries/${id}/replay`, { method: 'POST' });
      return [status, body.detail];
    };
    const endpoint = endpointIdOf(tenant.id, 'seal');
    await store.query('select * from platform.claim_deliveries($1, $2, 30)', [[endpoint], [1]]);
    expect((await list('?status=delivering')).data).toHaveLength(1);
    expect(await replay()).toEqual([
      409,
      'The delivery is being attempted at this moment: look at it again in a few seconds.',
    ]);
    await settle('failed', eventIds);
    await store.query('update platform.webhook_endpoint set enabled = false where tenant_id = $1', [tenant.id]);
    expect(await replay()).toEqual([
      409,
      `The endpoint ${typeId('whe', endpoint)} is disabled: enable it, then send this delivery again.`,
    ]);
    await store.query('delete from platform.webhook_endpoint where tenant_id = $1', [tenant.id]);
    expect(await replay()).toEqual([
      409,
      'The endpoint was deleted: register one, and replay what it missed ({"missing": true}).',
    ]);
    await store.query('insert into platform.webhook_endpoint (id, tenant_id, module, url) values ($1, $2, $3, $4)', [
      endpoint,
      tenant.id,
      'seal',
      'https://hooks.example.com/',
    ]);
    await store.query('delete from platform.event where event_id = $1', [eventIds[0]]);
    expect(await replay()).toEqual([409, 'The event is older than the time for which bodies are kept.']);
  });
});

describe('replay runs', () => {
  const start = (body: unknown = {}) => call('/webhook-deliveries/replays', { method: 'POST', body });
  const show = (id: string) => call(`/webhook-deliveries/replays/${id}`);
  const pending = async () => (await list('?status=pending&limit=100')).data.length;

  it('only count when dry', async () => {
    await settle('failed', await emit(3));
    const { status, body } = await start({ dry_run: true });
    expect(status).toBe(202);
    expect(body).toMatchObject({ matched: 3, replayed: 0, dry_run: true, status: 'completed' });
    await replaySlice(100);
    expect(await pending()).toBe(0);
  });

  it('go slice by slice, the oldest first, each delivery once, and end', async () => {
    const eventIds = await emit(5);
    await settle('failed', eventIds);
    const { body } = await start();
    expect(body).toMatchObject({ matched: 5, status: 'running', delivery_status: ['failed'], max: 10_000 });
    await replaySlice(2);
    expect((await list('?status=pending')).data.map((delivery) => delivery.event_id)).toEqual([
      eventIds[1],
      eventIds[0],
    ]);
    expect((await show(body.id)).body).toMatchObject({ status: 'running', replayed: 2 });
    // What was put back and fails again is not taken up again by the same run.
    await settle('failed', eventIds.slice(0, 2));
    await replaySlice(2);
    await replaySlice(2);
    expect((await show(body.id)).body).toMatchObject({ status: 'completed', replayed: 5, skipped: 0 });
    expect(await replaySlice(2)).toEqual([{ run_id: null, endpoints: [] }]);
    expect((await list('?status=pending')).data.map((delivery) => delivery.replay_run_id)).toEqual([
      body.id,
      body.id,
      body.id,
    ]);
  });

  it('send at once what waits for its next attempt', async () => {
    await emit(2);
    const later = `update platform.delivery set next_attempt_at = now() + interval '5 hours', schedule_step = 7 where tenant_id = $1`;
    await store.query(later, [tenant.id]);
    const { body } = await start({ status: ['pending'] });
    expect(body).toMatchObject({ matched: 2, delivery_status: ['pending'] });
    await replaySlice(10);
    const waits =
      'select from platform.delivery where tenant_id = $1 and (next_attempt_at > now() or schedule_step > 0)';
    expect(await store.query(waits, [tenant.id])).toEqual([]);
  });

  it('choose by status, module, event type and time, and stop at max', async () => {
    const seal = await emit(4);
    const identity = await emit(1, 'subject.verified', 'identity');
    await settle('failed', [...seal, ...identity]);
    await settle('delivered', seal.slice(0, 1));
    const matched = async (body: object) => (await start({ ...body, dry_run: true })).body.matched;
    expect(await matched({})).toBe(4);
    expect(await matched({ status: ['failed', 'delivered'] })).toBe(5);
    expect(await matched({ status: ['delivered'] })).toBe(1);
    expect(await matched({ module: 'identity' })).toBe(1);
    expect(await matched({ event_type: 'seal.signature.completed' })).toBe(3);
    expect(await matched({ from: new Date(Date.now() - 1.5 * 3_600_000).toISOString() })).toBe(2);
    expect(await matched({ max: 2 })).toBe(2);
    const { body } = await start({ max: 3 });
    await replaySlice(2);
    await replaySlice(2);
    expect((await show(body.id)).body).toMatchObject({ status: 'completed', replayed: 3 });
    expect(await pending()).toBe(3);
  });

  it('pass over deliveries whose endpoint is gone or disabled', async () => {
    await settle('failed', [...(await emit(2)), ...(await emit(1, 'subject.verified', 'identity'))]);
    await store.query("update platform.webhook_endpoint set enabled = false where tenant_id = $1 and module = 'seal'", [
      tenant.id,
    ]);
    const { body } = await start();
    await replaySlice(10);
    expect((await show(body.id)).body).toMatchObject({ status: 'completed', matched: 3, replayed: 1, skipped: 2 });
  });

  it('can be cancelled, again and again, and not once they are completed', async () => {
    await settle('failed', await emit(4));
    const { body } = await start();
    await replaySlice(1);
    const cancel = () => call(`/webhook-deliveries/replays/${body.id}/cancel`, { method: 'POST' });
    expect((await cancel()).body).toMatchObject({ status: 'cancelled', replayed: 1 });
    expect((await cancel()).status).toBe(200);
    await replaySlice(10);
    expect(await pending()).toBe(1);
    const dry = await start({ dry_run: true });
    expect((await call(`/webhook-deliveries/replays/${dry.body.id}/cancel`, { method: 'POST' })).status).toBe(409);
  });

  it('are nobody else’s', async () => {
    await settle('failed', await emit(1));
    const { body } = await start();
    const stranger = await testTenant(store);
    expect((await call(`/webhook-deliveries/replays/${body.id}`, { as: stranger })).status).toBe(404);
    const cancel = await call(`/webhook-deliveries/replays/${body.id}/cancel`, { method: 'POST', as: stranger });
    expect(cancel.status).toBe(404);
    expect((await call('/webhook-deliveries/replays', { method: 'POST', body: {}, as: stranger })).body.matched).toBe(
      0,
    );
    expect((await show(body.id)).body.status).toBe('running');
  });

  it('refuse what makes no sense, all at once', async () => {
    const { status, body } = await start({
      status: ['delivering'],
      max: 0,
      module: 'x',
      dry_run: 1,
      event_type: '',
      colour: 'red',
    });
    expect(status).toBe(400);
    expect((body.errors as { pointer: string }[]).map((error) => error.pointer)).toEqual([
      '/colour',
      '/dry_run',
      '/event_type',
      '/max',
      '/module',
      '/status',
    ]);
    const turned = await start({ from: '2026-11-02', to: '2026-11-01T00:00:00Z' });
    expect(turned.body).toMatchObject({ status: 400, errors: [{ pointer: '/to' }] });
  });
});
