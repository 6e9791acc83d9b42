import { endpointIdOf, eventRecord } from '@constancia/events';
import { typeId } from '@constancia/kernel';
import { productionVariables, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpsPort, opsPortOf } from '@constancia/testing/ops-port';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';

type Rows = { data: Record<string, unknown>[]; next_cursor: string | null };

let store: TestDatabase;
let platform: RunningPlatform;
let ops: OpsPort;
let tenant: TestTenant;

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
  tenant = await testTenant(store);
});

const lastAct = async () => (await ops.get<Rows>('/audit?limit=1')).body.data[0];

const WHY = { reason: 'ticket 7' };

describe('the endpoints on the ops port', () => {
  const endpoint = () => typeId('whe', endpointIdOf(tenant.id, 'seal'));
  const claim = async () =>
    store.query('select 1 from platform.claim_deliveries($1, $2, 30)', [[endpointIdOf(tenant.id, 'seal')], [10]]);

  beforeEach(async () => {
    await store.query('insert into platform.webhook_endpoint (id, tenant_id, module, url) values ($1, $2, $3, $4)', [
      endpointIdOf(tenant.id, 'seal'),
      tenant.id,
      'seal',
      'https://user:pw@hooks.example.com/in?key=s3cret',
    ]);
    const record = eventRecord({ tenantId: tenant.id, module: 'seal', type: 'seal.signature.completed', payload: {} });
    await store.query('select platform_v1.emit_events($1)', [JSON.stringify([record])]);
  });

  it('are held back for some minutes, and nothing is lost', async () => {
    expect((await ops.post(`/endpoints/${endpoint()}/pause`, { minutes: 5 })).status).toBe(400); // no reason
    const paused = await ops.post(`/endpoints/${endpoint()}/pause`, { minutes: 5, reason: 'INC-9' });
    expect([paused.status, paused.body]).toMatchObject([
      200,
      { id: endpoint(), slug: tenant.slug, url: 'https://hooks.example.com/in', enabled: true, due: 1 },
    ]);
    expect(Date.parse(String(paused.body.paused_until))).toBeGreaterThan(Date.now() + 4 * 60_000);
    expect(await claim()).toHaveLength(0);
    expect((await ops.get<Rows>(`/endpoints?health=paused&tenant=${tenant.slug}`)).body.data).toHaveLength(1);
    expect(await lastAct()).toMatchObject({ type: 'endpoint.paused', data: { endpoint_id: endpoint(), minutes: 5 } });
    expect((await ops.post(`/endpoints/${endpoint()}/resume`, WHY)).body).toMatchObject({ paused_until: null });
    expect(await claim()).toHaveLength(1);
    expect(await lastAct()).toMatchObject({ type: 'endpoint.resumed', operator: 'noche', tenant_id: tenant.id });
  });

  it('are enabled again when they were disabled as failing, not when the tenant did it', async () => {
    const disable = (reason: string | null) =>
      store.query(
        `update platform.webhook_endpoint set enabled = false, disabled_reason = $2, consecutive_failures = 40,
           first_failure_at = now() where tenant_id = $1`,
        [tenant.id, reason],
      );
    await disable('failing');
    expect((await ops.get<Rows>('/endpoints?health=disabled')).body.data).toMatchObject([{ id: endpoint() }]);
    expect((await ops.post(`/endpoints/${endpoint()}/pause`, { minutes: 5, reason: 'x' })).status).toBe(409);
    expect((await ops.post(`/endpoints/${endpoint()}/resume`, WHY)).body).toMatchObject({
      enabled: true,
      disabled_reason: null,
      consecutive_failures: 0,
    });
    await disable(null);
    expect((await ops.post(`/endpoints/${endpoint()}/resume`, WHY)).status).toBe(409);
    expect((await ops.post(`/endpoints/${typeId('whe')}/resume`, WHY)).status).toBe(404);
  });

  it('show what is due in the lag, and a kick hints at it', async () => {
    const { body } = await ops.get<{
      outbox: { due: number };
      queues: { queue: string }[];
      work: { kind: string; open: number }[];
    }>('/lag');
    expect(body.outbox.due).toBeGreaterThan(0);
    expect(body.queues.find(({ queue }) => queue === 'webhook-delivery')).toMatchObject({
      waiting: expect.any(Number),
    });
    expect(body.work.map(({ kind }) => kind)).toEqual(['endpoint-notice', 'recovery-mail', 'replay-run', 'stale-hold']);
    expect((await ops.post('/outbox/kick', {})).status).toBe(400); // nothing is changed without a reason
    const kicked = await ops.post<{ hinted: number }>('/outbox/kick', WHY);
    expect(kicked.body.hinted).toBeGreaterThan(0);
    expect(await lastAct()).toMatchObject({ type: 'outbox.kicked', data: { hinted: kicked.body.hinted } });
  });
});

describe('the ledger on the ops port', () => {
  it('adds up, and says where when it does not', async () => {
    const whole = await ops.get<{ tenants: number }>('/ledger/verify');
    expect(whole.body).toMatchObject({ drift_credits: 0, faults: [], stale_holds: 0 });
    expect(whole.body.tenants).toBeGreaterThan(1);
    expect((await ops.get(`/ledger/verify?tenant=${tenant.slug}`)).body).toMatchObject({ tenants: 1, entries: 1 });
    await store.query('update platform.credit_account set available = available - 7, held = 3 where tenant_id = $1', [
      tenant.id,
    ]);
    const { body } = await ops.get(`/ledger/verify?tenant=${tenant.id}`);
    const fault = { tenant_id: tenant.id, slug: tenant.slug };
    expect(body).toMatchObject({
      drift_credits: 10,
      faults: [
        { ...fault, what: 'available', expected: '1000', found: '993' },
        { ...fault, what: 'held', expected: '0', found: '3' },
      ],
    });
    await store.query('alter table platform.credit_entry disable trigger credit_entry_append_only');
    await store.query('update platform.credit_entry set balance_after = 5 where tenant_id = $1', [tenant.id]);
    const { faults } = (await ops.get<{ faults: { what: string }[] }>(`/ledger/verify?tenant=${tenant.id}`)).body;
    expect(faults).toContainEqual({ ...fault, what: 'balance_after_at_seq', expected: '1000', found: '1: 5' });
    await store.query('update platform.credit_entry set balance_after = 1000 where tenant_id = $1', [tenant.id]);
    await store.query('update platform.credit_account set available = 1000, held = 0 where tenant_id = $1', [
      tenant.id,
    ]);
    await store.query('alter table platform.credit_entry enable trigger credit_entry_append_only');
  });

  it('is read once, however many accounts there are', async () => {
    const [entries, accounts] = [30_000, 3_000];
    const insert = (tenantOf: string, seq: string) =>
      store.query(
        `insert into platform.credit_entry (tenant_id, seq, kind, amount, quantity, balance_after, debit_account, credit_account,
           module, ref_type, ref_id)
         select ${tenantOf}, ${seq}, 'grant', 1, 1, ${seq}, 'a', 'b', 'platform', 'made_up', gen_random_uuid()
           from generate_series(1, ${entries}) n`,
      );
    const millisecondsFor = async (tenantId: string | null): Promise<number> => {
      const times: number[] = [];
      for (let nth = 0; nth < 3; nth++) {
        const began = performance.now();
        await store.query('select * from platform.ops_verify_ledger($1)', [tenantId]);
        times.push(performance.now() - began);
      }
      return Math.min(...times);
    };
    const [one] = await store.query<{ id: string }>('select gen_random_uuid() as id');
    await insert(`'${one?.id}'`, 'n');
    const ofOne = await millisecondsFor(one?.id ?? null);
    await insert(`md5((n % ${accounts})::text)::uuid`, `1 + n / ${accounts}`);
    await store.query('analyze platform.credit_entry');
    // Twice the entries; with 500 accounts it was over 5 when each account read them all, and grew with their number.
    expect((await millisecondsFor(null)) / ofOne).toBeLessThan(10);
    await store.query('alter table platform.credit_entry disable trigger credit_entry_append_only');
    await store.query(`delete from platform.credit_entry where ref_type = 'made_up'`);
    await store.query('alter table platform.credit_entry enable trigger credit_entry_append_only');
  });
});

describe('the tenants on the ops port', () => {
  const made = { slug: 'notaria-sexta', name: 'Notaría Sexta', owner_email: 'ti@sexta.example', reason: 'contract 12' };

  it('are found by a part of their name, without secrets or the owner’s address', async () => {
    const { body } = await ops.get<Rows>(`/tenants?search=${tenant.slug.slice(2, 10).toUpperCase()}`);
    expect(body.data).toMatchObject([{ id: tenant.id, slug: tenant.slug, available: 1000, held: 0 }]);
    const shown = await ops.get(`/tenants/${tenant.slug}`);
    expect(shown.body).toMatchObject({ id: tenant.id, keys: [{ status: 'active' }], endpoints: [], open_holds: 0 });
    expect(JSON.stringify([body, shown.body])).not.toMatch(/owner@|whsec_|test_[0-9A-Za-z]{20}/);
    expect((await ops.get('/tenants/nobody')).status).toBe(404);
  });

  it('are made, their key shown once and working, and not twice', async () => {
    const { status, body } = await ops.post<Record<string, string>>('/tenants', { ...made, credits: 500 });
    expect([status, body]).toMatchObject([
      201,
      { slug: made.slug, plan: 'sandbox', environment: 'sandbox', available: 500 },
    ]);
    const own = await platform.call(`/tenants/${body.tenant_id}`, { key: body.api_key as string });
    expect([own.status, own.body]).toMatchObject([200, { slug: made.slug, display_name: made.name }]);
    const act = await lastAct();
    expect(act).toMatchObject({
      type: 'tenant.created',
      tenant_id: body.tenant_id,
      data: { credits: 500, reason: 'contract 12' },
    });
    for (const secret of [body.api_key, body.webhook_secret, made.owner_email]) {
      expect(JSON.stringify(act)).not.toContain(secret);
    }
    const again = await ops.post<{ error: string }>('/tenants', made);
    expect([again.status, again.body.error]).toEqual([409, expect.stringContaining('taken')]);
    expect((await lastAct())?.seq).toBe(act?.seq);
  });

  it('are made in production too, without credits, with a live key', async () => {
    const production = await runningPlatform(store, {
      ...productionVariables(),
      CONSOLE_URL: 'https://console.example.com',
      PERSON_URL: 'https://person.example.com',
      WEBHOOK_ALLOW_LOOPBACK: 'false',
      BASE_URL: 'https://platform.example',
      COMPLIANCE_URL: 'https://compliance.example',
      SIGNING_URL: 'https://signing.example',
    });
    const port = await opsPortOf(production.app);
    const { status, body } = await port.post('/tenants', { ...made, slug: 'en-produccion' });
    expect([status, body]).toMatchObject([201, { plan: 'standard', environment: 'production', available: 0 }]);
    expect(body.api_key).toMatch(/^live_/);
    await port.close();
    await production.close();
  });

  it('get credits once per reference', async () => {
    const grant = (body: object) => ops.post(`/tenants/${tenant.slug}/grants`, { reason: 'order 7', ...body });
    const first = await grant({ credits: 250, reference: 'OC-7' });
    expect([first.status, first.body]).toMatchObject([
      201,
      {
        balance: { available: 1250, held: 0 },
        entry: { kind: 'grant', amount: 250, balance_after: 1250 },
        repeated: false,
      },
    ]);
    const act = await lastAct();
    expect(act).toMatchObject({ type: 'tenant.granted', data: { credits: 250, reference: 'OC-7', reason: 'order 7' } });
    const again = await grant({ credits: 250, reference: 'OC-7' });
    expect([again.status, again.body]).toMatchObject([200, { entry: first.body.entry, repeated: true }]);
    expect((await grant({ credits: 9, reference: 'OC-7' })).status).toBe(409);
    const atOnce = await Promise.all([1, 2, 3, 4].map(() => grant({ credits: 10, reference: 'OC-8' })));
    expect(atOnce.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201]);
    const balance = await platform.call('/v1/billing/balance', { key: tenant.apiKey });
    expect(balance.body).toMatchObject({ available: 1260 });
    const ledger = await platform.call<Rows>('/v1/billing/ledger', { key: tenant.apiKey });
    expect(ledger.body.data[0]).toMatchObject({ kind: 'grant', amount: 10, ref_type: 'operator_grant' });
  });

  it.each([
    ['/tenants', { ...made, slug: 'No Slug' }], ['/tenants', { ...made, owner_email: 'nobody' }], ['/tenants', { ...made, owner_email: undefined }],
    ['/tenants', { ...made, reason: ' ' }], ['/tenants', { ...made, credits: -1 }], ['/tenants', { ...made, plan: 'standard' }],
    ['/tenants/x/grants', { credits: 0, reason: 'x', reference: 'y' }], ['/tenants/x/grants', { credits: 1e9, reason: 'x', reference: 'y' }],
    ['/tenants/x/grants', { credits: 1, reason: 'x' }], ['/tenants/x/grants', { credits: 1, reference: 'x' }],
    ['/endpoints/whe_1/pause', { minutes: 0, reason: 'x' }], ['/endpoints/whe_1/pause', { minutes: '1h', reason: 'x' }],
  ])('refuse what makes no sense, with help: %s %o', async (path, body) => {
    const { status, body: problem } = await ops.post<{ error: string }>(path, body);
    expect([status, problem.error]).toEqual([400, expect.stringMatching(/ in the body/)]);
  }); // prettier-ignore
});
