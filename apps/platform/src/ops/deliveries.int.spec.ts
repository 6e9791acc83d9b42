import { endpointIdOf, eventRecord } from '@constancia/events';
import { typeId, uuidFloor, uuidv7 } from '@constancia/kernel';
import { Database, sqlState } from '@constancia/persistence';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';

interface Row extends Record<string, unknown> {
  id: string;
  event_id: string;
  status: string;
}
interface Page {
  data: Row[];
  next_cursor: string | null;
}
interface Run extends Record<string, unknown> {
  id: string;
  matched: number;
  status: string;
}

let store: TestDatabase;
let platform: RunningPlatform;
let ops: OpsPort;
let ana: TestTenant;
let berta: TestTenant;

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
beforeEach(async () => {
  await store.query('delete from platform.delivery');
  [ana, berta] = [await testTenant(store), await testTenant(store)];
  for (const { id } of [ana, berta]) {
    await store.query('insert into platform.webhook_endpoint (id, tenant_id, module, url) values ($1, $2, $3, $4)', [
      endpointIdOf(id, 'seal'),
      id,
      'seal',
      'https://hooks.example.com/in?key=s3cret',
    ]);
  }
});

const idAt = (instant: Date) => uuidFloor(instant).slice(0, 14) + uuidv7().slice(14);

/** Events an hour apart, the first the oldest; answers their ids. */
async function emit(tenant: TestTenant, count: number) {
  const records = Array.from({ length: count }, (_, nth) =>
    eventRecord({
      tenantId: tenant.id,
      module: 'seal',
      type: 'seal.signature.completed',
      payload: { signature_request_id: typeId('sig'), holder: 'Camila Restrepo', document: '1020304050' },
      eventId: idAt(new Date(Date.now() - (count - nth) * 3_600_000)),
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    }),
  );
  await store.query('select platform_v1.emit_events($1)', [JSON.stringify(records)]);
  return records.map((record) => record.event_id);
}

const fail = (eventIds: string[]) =>
  store.query(
    `update platform.delivery set status = 'failed', next_attempt_at = null, attempts = 12, schedule_step = 12,
       failed_at = now() where event_id = any ($1)`,
    [eventIds],
  );

const list = async (query = '') => (await ops.get<Page>(`/deliveries${query}`)).body;
const eventsOf = async (query = '') => (await list(query)).data.map(({ event_id }) => event_id);

async function slice(limit = 1_000) {
  const [claim] = await store.query<{ id: string | null }>('select platform.claim_replay(0) as id');
  await store.query('select platform.replay_slice($1, $2)', [claim?.id, limit]);
}

const WHY = { reason: 'ticket 7' };

describe('the deliveries on the ops port', () => {
  it('are those of all tenants, page by page, each once, or those of one', async () => {
    const emitted = [...(await emit(ana, 4)), ...(await emit(berta, 3))];
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.data.map(({ event_id }) => event_id));
      cursor = page.next_cursor ?? '';
    } while (cursor);
    expect(seen.toSorted()).toEqual(emitted.toSorted());
    expect(await eventsOf(`?tenant=${ana.slug}`)).toEqual(emitted.slice(0, 4).reverse());
    expect(await eventsOf(`?tenant=${berta.id}&limit=1`)).toEqual([emitted.at(-1)]);
  });

  it('are found by status, module, type, event, endpoint and time', async () => {
    const [old, recent] = (await emit(ana, 2)) as [string, string];
    const [other] = (await emit(berta, 1)) as [string];
    await fail([old, other]);
    expect(await eventsOf('?status=failed')).toEqual([other, old]);
    expect(await eventsOf(`?status=pending&tenant=${ana.slug}`)).toEqual([recent]);
    expect(await eventsOf('?status=pending')).toEqual([recent]);
    expect(await eventsOf('?module=identity')).toEqual([]);
    expect(await eventsOf(`?event_type=seal.signature.completed&event_id=${recent}`)).toEqual([recent]);
    expect(await eventsOf(`?endpoint=${typeId('whe', endpointIdOf(berta.id, 'seal'))}`)).toEqual([other]);
    const since = new Date(Date.now() - 1.5 * 3_600_000).toISOString();
    expect(await eventsOf(`?status=failed&since=${since}`)).toEqual([other]);
    expect(await eventsOf(`?status=failed&until=${since}`)).toEqual([old]);
  });

  it('show the endpoint, the attempts and the trace, and neither body nor credentials', async () => {
    const [event] = (await emit(ana, 1)) as [string];
    const [row] = await store.query<{ id: string }>('select id from platform.delivery where event_id = $1', [event]);
    await store.query(
      `insert into platform.delivery_attempt (id, delivery_id, tenant_id, number, at, duration_ms, first_byte_ms, url, http_status,
         error_code, error_detail, response_excerpt)
       values ($1, $2, $3, 1, now(), 42, 40, 'https://hooks.example.com/', 500, 'http_status', 'The receiver answered 500.',
         '{"got": {"document": "1.020.304.050", "mail": "camila@example.com"}}')`,
      [uuidv7(), row?.id, ana.id],
    );
    const { status, body } = await ops.get(`/deliveries/${typeId('dlv', row?.id)}`);
    expect([status, body]).toMatchObject([
      200,
      {
        tenant_id: ana.id,
        slug: ana.slug,
        event_id: event,
        trace_id: '0af7651916cd43dd8448eb211c80319c',
        endpoint: { url: 'https://hooks.example.com/in', enabled: true, disabled_reason: null, paused_until: null },
        attempts_list: [{ number: 1, http_status: 500, error_code: 'http_status', duration_ms: 42 }],
      },
    ]);
    for (const hidden of ['s3cret', 'Camila', '020.304', '1020304050', 'camila@', 'whsec_']) {
      expect(JSON.stringify(body)).not.toContain(hidden);
    }
  });

  it('are sent again one by one: with the same event, from the start of the schedule, and a line in the log', async () => {
    const [event] = (await emit(ana, 1)) as [string];
    const [{ id }] = (await list()).data as [Row];
    expect((await ops.post(`/deliveries/${id}/replay`, WHY)).status).toBe(409); // it is in line
    await fail([event]);
    const { status, body } = await ops.post(`/deliveries/${id}/replay`, { reason: 'INC-7' });
    expect([status, body]).toMatchObject([
      202,
      { id, event_id: event, status: 'pending', attempts: 12, slug: ana.slug },
    ]);
    const { body: log } = await ops.get<Page>('/audit?action=delivery.replayed&limit=1');
    expect(log.data).toMatchObject([
      {
        operator: 'noche',
        tenant_id: ana.id,
        data: { delivery_id: id, event_id: event, from: 'failed', reason: 'INC-7' },
      },
    ]);
    await fail([event]);
    await store.query('update platform.webhook_endpoint set enabled = false where tenant_id = $1', [ana.id]);
    const refused = await ops.post<{ error: string }>(`/deliveries/${id}/replay`, WHY);
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('disabled')]);
    expect((await ops.get<Page>('/audit?action=delivery.replayed')).body.data).toHaveLength(1);
  });

  it('that wait for a retry hours away are sent at once', async () => {
    const [event] = (await emit(ana, 1)) as [string];
    const [{ id }] = (await list()).data as [Row];
    await store.query(`update platform.delivery set next_attempt_at = now() + interval '5 hours' where event_id = $1`, [
      event,
    ]);
    const { status, body } = await ops.post<{ next_attempt_at: string }>(`/deliveries/${id}/replay`, WHY);
    expect(status).toBe(202);
    expect(Date.parse(body.next_attempt_at)).toBeLessThan(Date.now() + 1_000);
  });
});

describe('replays by filter', () => {
  const order = (body: object) => ops.post<Run>('/replays', { reason: 'INC-7', ...body });
  const pending = async (query = '') => (await list(`?status=pending${query}`)).data.length;

  it('are counted first: of one tenant or of all', async () => {
    await fail([...(await emit(ana, 3)), ...(await emit(berta, 2))]);
    const all = await order({ all_tenants: true, dry_run: true });
    expect([all.status, all.body]).toMatchObject([
      202,
      { matched: 5, dry_run: true, status: 'completed', replayed: 0 },
    ]);
    const one = await order({ tenant: ana.slug, dry_run: true });
    expect(one.body).toMatchObject({ matched: 3, filter: { tenant_id: ana.id, slug: ana.slug, all_tenants: false } });
    const since = new Date(Date.now() - 1.5 * 3_600_000).toISOString();
    expect((await order({ all_tenants: true, dry_run: true, since })).body.matched).toBe(2);
    expect((await order({ all_tenants: true, dry_run: true, max: 4 })).body.matched).toBe(4);
    expect(await pending()).toBe(0);
  });

  it('cross tenants slice by slice at their own rate, each delivery once', async () => {
    await fail([...(await emit(ana, 3)), ...(await emit(berta, 3))]);
    const { body } = await order({ all_tenants: true, rate: 4 });
    expect(body).toMatchObject({ matched: 6, status: 'running', rate: 4, operator: 'noche', reason: 'INC-7' });
    await slice();
    expect(await pending()).toBe(4);
    await slice();
    expect((await ops.get<Run>(`/replays/${body.id}`)).body).toMatchObject({ status: 'completed', replayed: 6 });
    expect([await pending(`&tenant=${ana.slug}`), await pending(`&tenant=${berta.slug}`)]).toEqual([3, 3]);
  });

  it('stop when cancelled, and go on from where they stood when resumed', async () => {
    await fail(await emit(ana, 5));
    const { body } = await order({ tenant: ana.id, rate: 2 });
    await slice();
    expect((await ops.post(`/replays/${body.id}/cancel`, WHY)).body).toMatchObject({
      status: 'cancelled',
      replayed: 2,
    });
    await slice();
    expect(await pending()).toBe(2);
    expect((await ops.post(`/replays/${body.id}/cancel`, WHY)).status).toBe(409);
    expect((await ops.post(`/replays/${body.id}/resume`, { reason: 'all clear' })).body).toMatchObject({
      status: 'running',
      finished_at: null,
    });
    for (let n = 0; n < 3; n++) await slice();
    expect((await ops.get(`/replays/${body.id}`)).body).toMatchObject({ status: 'completed', replayed: 5, skipped: 0 });
    const { data } = (await ops.get<{ data: { type: string }[] }>('/audit?limit=3')).body;
    expect(data.map(({ type }) => type)).toEqual(['replay.resumed', 'replay.cancelled', 'replay.started']);
  });

  it('are the tenants’ own mechanism: theirs are listed here, and a run over all is nobody’s there', async () => {
    await fail(await emit(ana, 1));
    const key = ana.apiKey;
    const own = await platform.call<Run>('/webhook-deliveries/replays', { method: 'POST', body: {}, key });
    const { body } = await order({ all_tenants: true });
    const { data } = (await ops.get<{ data: Run[] }>('/replays?status=running&limit=2')).body;
    expect(data).toMatchObject([
      { id: body.id, filter: { tenant_id: null } },
      { id: own.body.id, operator: null, filter: { slug: ana.slug } },
    ]);
    expect((await platform.call(`/webhook-deliveries/replays/${body.id}`, { key })).status).toBe(404);
    const cancel = `/webhook-deliveries/replays/${body.id}/cancel`;
    expect((await platform.call(cancel, { method: 'POST', key })).status).toBe(404);
  });

  it('count ten thousand failed ones of all tenants within a second', async () => {
    await store.query(
      `insert into platform.delivery (id, event_id, tenant_id, endpoint_id, module, event_type, status, next_attempt_at, failed_at)
       select platform.uuid_v7(), platform.uuid_v7(), case n % 2 when 0 then $1::uuid else $2 end, $3, 'seal', 'x',
              case when n <= 10000 then 'failed' else 'delivered' end, null, case when n <= 10000 then now() end
         from generate_series(1, 30000) n`,
      [ana.id, berta.id, endpointIdOf(ana.id, 'seal')],
    );
    const started = performance.now();
    const { body } = await order({ all_tenants: true, dry_run: true, max: 100_000 });
    expect(body.matched).toBe(10_000);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('what operators send', () => {
  it.each([
    '/deliveries?status=lost', '/deliveries?limit=0', '/deliveries?limit=501', '/deliveries?cursor=x', '/deliveries?colour=red',
    '/deliveries?since=yesterday', '/deliveries?since=2026-02-31', '/deliveries?endpoint=whe_1', '/deliveries?event_id=1',
    '/deliveries?module=seal&module=seal', '/deliveries?tenant=%00', '/replays?status=x', '/replays?cursor=WzFd', '/audit?cursor=WyJ4Il0',
    '/audit/verify?seq=1', '/audit/verify?seq=1&hash=x',
  ])('is refused with help: GET %s', async (path) => {
    const { status, body } = await ops.get<{ error: string }>(path);
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^.{10,}$/)]);
  }); // prettier-ignore

  it.each([
    '', '{', '[]', '"x"', '{}', '{"tenant": "x"}', '{"reason": "x"}', '{"reason": "x", "all_tenants": true, "tenant": "t"}',
    '{"reason": "x", "all_tenants": 1}', '{"reason": "x", "all_tenants": true, "rate": 0}', '{"reason": "x", "all_tenants": true, "max": 1.5}',
    '{"reason": "x", "all_tenants": true, "status": ["delivered"]}', '{"reason": "x", "all_tenants": true, "status": ["failed", "failed"]}',
    '{"reason": "x\\u0000", "all_tenants": true}', '{"reason": "x", "all_tenants": true, "since": "2026-11-02", "until": "2026-11-01"}',
    `{"reason": "${'x'.repeat(501)}", "all_tenants": true}`, '{"reason": "\\ud800", "all_tenants": true}', '{"__proto__": 1}',
  ])('is refused with help: POST /replays %s', async (body) => {
    const { status, body: problem } = await ops.post<{ error: string }>('/replays', body);
    expect([status, problem.error]).toEqual([400, expect.stringMatching(/^.{10,}$/)]);
  }); // prettier-ignore

  it('is 404 for what is not there', async () => {
    for (const path of [
      `/deliveries/${typeId('dlv')}`, '/deliveries/%00', '/replays/run_1', `/replays/${typeId('run')}`, '/deliveries?tenant=nobody',
    ]) expect((await ops.get(path)).status).toBe(404); // prettier-ignore
    expect((await ops.post(`/deliveries/${typeId('dlv')}/replay`, WHY)).status).toBe(404);
    expect((await ops.post(`/replays/${typeId('run')}/cancel`, WHY)).status).toBe(404);
  });
});

describe('the operators’ log', () => {
  it('is a chain that breaks where a row was changed', async () => {
    await fail(await emit(ana, 1));
    for (let n = 0; n < 3; n++) await ops.post('/replays', { all_tenants: true, dry_run: true, reason: `look ${n}` });
    const { body } = await ops.get<{ valid: boolean; acts: number; head: { seq: number; hash: string } }>(
      '/audit/verify',
    );
    expect(body).toMatchObject({ valid: true, head: { seq: body.acts } });
    const { seq, hash } = body.head;
    expect((await ops.get(`/audit/verify?seq=${seq}&hash=${hash}`)).body).toMatchObject({ valid: true });
    expect((await ops.get(`/audit/verify?seq=${seq + 1}&hash=${hash}`)).body).toEqual({
      valid: false,
      seq: seq + 1,
      fault: 'truncated',
    });
    await store.query('alter table platform.operator_act disable trigger keep');
    const change = (to: string, from: string) =>
      store.query('update platform.operator_act set data = replace(data, $2, $1) where seq = $3', [to, from, seq - 1]);
    await change('nothing', 'look 1');
    expect((await ops.get('/audit/verify')).body).toEqual({ valid: false, seq: seq - 1, fault: 'altered' });
    await change('look 1', 'nothing');
    expect((await ops.get('/audit/verify')).body).toMatchObject({ valid: true });
    await store.query('alter table platform.operator_act enable trigger keep');
  });

  it('cannot be read, changed or written around by any app', async () => {
    for (const schema of ['platform', 'identity', 'compliance', 'signing'] as const) {
      const database = await Database.connect({ url: store.app(schema), applicationName: 'spec', poolSize: 1 });
      for (const sql of [
        'select * from platform.operator_act',
        "update platform.operator_act set operator = 'nobody'",
        'delete from platform.operator_act',
        'truncate platform.operator_act',
        `select platform.append_operator_act('{"type": "x.y", "operator": "x", "data": "{}"}')`,
      ]) {
        expect(sqlState(await database.query(sql).catch((error: unknown) => error))).toBe('42501');
      }
      await database.close();
    }
  });

  it('has no line for what did not happen', async () => {
    const acts = async () => (await ops.get<{ acts: number }>('/audit/verify')).body.acts;
    const before = await acts();
    expect((await ops.post('/replays', { tenant: 'nobody', reason: 'x' })).status).toBe(404);
    await store.query('alter table platform.replay_run rename column reason to away');
    expect((await ops.post('/replays', { all_tenants: true, reason: 'x' })).status).toBe(500);
    await store.query('alter table platform.replay_run rename column away to reason');
    expect(await acts()).toBe(before);
  });
});
