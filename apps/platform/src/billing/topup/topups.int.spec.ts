import { randomUUID } from 'node:crypto';
import { callbackRequest } from '@constancia/dev-servers/payment-callbacks';
import { uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { Logger, Metrics } from '@constancia/telemetry';
import { testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlatformConfig } from '../../config.ts';
import { SettlePayment } from './settle-payment.ts';
import { CheckPending } from './check-pending.ts';
import { type RunningTopups, runningTopups, type TopupAnswer, WEBHOOK_SECRET } from './running-topups.fixture.ts';

let running: RunningTopups;
beforeAll(async () => {
  running = await runningTopups();
});
afterAll(() => running?.close());

const call: RunningTopups['platform']['call'] = (...args) => running.platform.call(...args);
const balance = async (tenant: TestTenant) =>
  (await call<{ available: number }>('/v1/billing/balance', { key: tenant.apiKey })).body.available;
const show = async (tenant: TestTenant, { id }: { id: string }) =>
  (await call<TopupAnswer>(`/v1/billing/topups/${id}`, { key: tenant.apiKey })).body;
const entries = async (tenant: TestTenant) =>
  (
    await call<{ data: { kind: string; amount: number; ref_id: string }[] }>('/v1/billing/ledger', {
      key: tenant.apiKey,
    })
  ).body.data;
const events = (tenant: TestTenant) =>
  running.database.query<{ event_type: string; module: string; body: string }>(
    `select event_type, module, body from platform.event where tenant_id = $1 and module = 'billing' order by event_id`,
    [tenant.id],
  );
const metric = async (name: string) => {
  const text = await running.platform.app.get(Metrics, { strict: false }).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.split(' ')
      .at(-1) ?? 0,
  );
};

describe('POST /v1/billing/topup', () => {
  it('creates a checkout at the provider, at a price that is kept', async () => {
    const tenant = await testTenant(running.database);
    const topup = await running.create(tenant, { external_ref: 'order-1', metadata: { team: 'a' } });
    expect(topup).toMatchObject({
      status: 'pending',
      amount_cop: 100_000,
      amount_credits: 2_425,
      bonus_credits: 0,
      credited_credits: 0,
      trm_used: '4123.45',
      trm_source: 'socrata',
      price_usd_per_credit: '0.01',
      external_ref: 'order-1',
      metadata: { team: 'a' },
    });
    const preference = running.simulator.book.preferences.get(topup.preference_id);
    expect(preference).toMatchObject({ external_reference: topup.id, amount: 100_000 });
    expect(preference?.notification_url).toBe('http://platform.test/v1/billing/callbacks/mercadopago');
    expect(preference?.back_urls.success).toMatch(/^http:\/\/platform\.test\/v1\/billing\/topups\/top_/);
    expect(Date.parse(topup.expires_at) - Date.now()).toBeGreaterThan(29 * 60_000);
    expect(await show(tenant, topup)).toEqual(topup);
    expect(await balance(tenant)).toBe(1_000);
  });

  it('adds the bonus of a bundle, from its least amount on', async () => {
    const tenant = await testTenant(running.database);
    expect(await running.create(tenant, { amount_cop: 2_000_000, bundle: 'pro' })).toMatchObject({
      amount_credits: 53_353,
      bonus_credits: 4_850,
    });
    const refused = await call('/v1/billing/topup', {
      key: tenant.apiKey,
      body: { amount_cop: 100_000, bundle: 'pro' },
    });
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { errors: [{ pointer: '/bundle', code: 'out_of_range' }] },
    ]);
    const { body } = await call<{ data: unknown[] }>('/v1/billing/bundles', { key: tenant.apiKey });
    expect(body.data[1]).toEqual({ code: 'pro', min_amount_cop: 2_000_000, bonus_percent: 10 });
  });

  it('answers a repetition with the same Idempotency-Key from the first answer, also at the same moment', async () => {
    const tenant = await testTenant(running.database);
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all([1, 2, 3].map(() => running.create(tenant, {}, headers)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    const { body } = await call<{ data: unknown[] }>('/v1/billing/topups', { key: tenant.apiKey });
    expect(body.data).toHaveLength(1);
    const other = await call('/v1/billing/topup', { key: tenant.apiKey, headers, body: { amount_cop: 20_000 } });
    expect(other.status).toBe(422);
  });

  it.each([
    [{ amount_cop: 19_999 }, '/amount_cop'],
    [{ amount_cop: 50_000_001 }, '/amount_cop'],
    [{ amount_cop: 100_000.5 }, '/amount_cop'],
    [{ amount_cop: '100000' }, '/amount_cop'],
    [{ amount_cop: 100_000, bundle: 'none' }, '/bundle'],
    [{ amount_cop: 100_000, return_url: 'https://evil.example/x' }, '/return_url'],
    [{ amount_cop: 100_000, return_url: 'javascript:alert(1)' }, '/return_url'],
    [{ amount_cop: 100_000, metadata: { a: 1 } }, '/metadata'],
    [{ amount_cop: 100_000, metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [n, ''])) }, '/metadata'],
    [{ amount_cop: 100_000, trm: '1' }, '/trm'],
  ])('refuses %j', async (body, pointer) => {
    const tenant = await testTenant(running.database);
    const answer = await call<{ errors: { pointer: string }[] }>('/v1/billing/topup', { key: tenant.apiKey, body });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error) => error.pointer)).toContain(pointer);
  });

  it('shows the same price as a quote', async () => {
    const tenant = await testTenant(running.database);
    const { body } = await call('/v1/billing/quote?amount_cop=500000&bundle=plus', { key: tenant.apiKey });
    expect(body).toMatchObject({ amount_credits: 12_732, bonus_credits: 607, bundle: 'plus', trm_used: '4123.45' });
    const refused = await call('/v1/billing/quote?amount_cop=1', { key: tenant.apiKey });
    expect([refused.status, refused.body]).toMatchObject([400, { errors: [{ pointer: '/query/amount_cop' }] }]);
  });

  it('and where payers return to are in the audit log of the tenant', async () => {
    const tenant = await testTenant(running.database);
    const topup = await running.create(tenant);
    const body = { origins: ['https://app.example.com'] };
    await call('/v1/billing/return-origins', { method: 'PUT', key: tenant.apiKey, body });
    const log = await call<{ data: object[] }>('/v1/audit-log?order=asc', { key: tenant.apiKey });
    expect(log.body.data).toMatchObject([
      { action: 'topup.created', object: { kind: 'topup', id: topup.id }, after: { amount_cop: 100_000 } },
      { action: 'return_origins.changed', before: { origins: [] }, after: body },
    ]);
  });

  it('is another tenant’s secret', async () => {
    const [tenant, stranger] = await Promise.all([testTenant(running.database), testTenant(running.database)]);
    const topup = await running.create(tenant);
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/refresh'],
    ]) {
      const { status } = await call(`/v1/billing/topups/${topup.id}${path}`, {
        method: method as string,
        key: stranger.apiKey,
      });
      expect(status).toBe(404);
    }
    const { body } = await call<{ data: unknown[] }>('/v1/billing/topups', { key: stranger.apiKey });
    expect(body.data).toEqual([]);
  });
});

describe('a payment', () => {
  it('is credited once, with one entry and one event, however often it is announced at once', async () => {
    const tenant = await testTenant(running.database);
    const topup = await running.create(tenant, { external_ref: 'order-7' });
    const payment = running.simulator.pay(topup.preference_id, 'approve');
    const statuses = await Promise.all(Array.from({ length: 12 }, () => running.callback(payment.id)));
    expect(new Set(statuses)).toEqual(new Set([200]));

    expect(await balance(tenant)).toBe(3_425);
    expect(await show(tenant, topup)).toMatchObject({ status: 'credited', credited_credits: 2_425 });
    const [entry, grant, ...rest] = await entries(tenant);
    expect([entry, grant?.kind, rest]).toMatchObject([{ kind: 'topup', amount: 2_425, ref_id: topup.id }, 'grant', []]);
    const [event, ...others] = await events(tenant);
    expect(others).toEqual([]);
    expect(JSON.parse(event?.body ?? '{}')).toMatchObject({
      module: 'billing',
      event_type: 'credits.balance.credited',
      payload: {
        topup_id: topup.id,
        amount_credits: 2_425,
        amount_cop: 100_000,
        trm_used: '4123.45',
        payment_id: payment.id,
        balance_after: 3_425,
        external_ref: 'order-7',
        metadata: {},
      },
    });
  });

  it('keeps the rate of the quote when it is paid later', async () => {
    const tenant = await testTenant(running.database);
    const topup = await running.create(tenant);
    const payment = running.simulator.pay(topup.preference_id, 'pending');
    await running.callback(payment.id);
    expect(await show(tenant, topup)).toMatchObject({ status: 'pending', credited_credits: 0 });
    await running.database.query(`update platform.trm_rate set value = 5000`);
    running.simulator.act(payment.id, 'confirm');
    await running.callback(payment.id);
    await running.database.query(`update platform.trm_rate set value = 4123.45`);
    expect(await show(tenant, topup)).toMatchObject({
      status: 'credited',
      credited_credits: 2_425,
      trm_used: '4123.45',
    });
  });

  it('of another amount is never credited', async () => {
    const tenant = await testTenant(running.database);
    const topup = await running.create(tenant);
    const payment = running.simulator.pay(topup.preference_id, 'approve', { amount: 100_001 });
    expect(await running.callback(payment.id)).toBe(200);
    expect(await show(tenant, topup)).toMatchObject({ status: 'amount_mismatch', credited_credits: 0 });
    expect(await balance(tenant)).toBe(1_000);
  });

  it('of a test account is not credited in production', async () => {
    const tenant = await testTenant(running.database);
    const topup = await running.create(tenant);
    const of = <T>(token: abstract new (...args: never[]) => T): T =>
      running.platform.app.get(token, { strict: false });
    const config = { environment: 'production' } as PlatformConfig;
    const settle = new SettlePayment(config, of(Database), of(Queues), of(Logger), of(Metrics));
    const snapshot = {
      paymentId: '42',
      externalReference: topup.id,
      status: 'approved',
      statusDetail: 'accredited',
      currency: 'COP',
      amountCents: 10_000_000,
      refundedCents: 0,
      updatedAt: new Date(),
    };
    const id = uuidOf('top', topup.id) as string;
    expect(await settle.apply(tenant.id, id, { ...snapshot, live: false })).toEqual({ isNew: false, credits: 0 });
    expect(await settle.apply(tenant.id, id, { ...snapshot, live: true })).toEqual({ isNew: true, credits: 2_425 });
  });

  it('that is refunded in parts, or charged back and won, moves the balance with it', async () => {
    const tenant = await testTenant(running.database);
    const topup = await running.create(tenant);
    const payment = running.simulator.pay(topup.preference_id, 'approve');
    await running.callback(payment.id);
    running.simulator.refund(payment.id, 40_000);
    await running.callback(payment.id);
    expect(await show(tenant, topup)).toMatchObject({ status: 'part_reversed', credited_credits: 1_455 });
    running.simulator.act(payment.id, 'dispute');
    await running.callback(payment.id);
    expect(await balance(tenant)).toBe(2_455);
    running.simulator.act(payment.id, 'lose');
    await running.callback(payment.id);
    expect(await show(tenant, topup)).toMatchObject({ status: 'reversed', credited_credits: 0 });
    running.simulator.act(payment.id, 'win');
    await running.callback(payment.id);
    expect(await show(tenant, topup)).toMatchObject({ status: 'part_reversed', credited_credits: 1_455 });
    expect((await entries(tenant)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['topup', 1_455],
      ['reversal', -1_455],
      ['reversal', -970],
      ['topup', 2_425],
      ['grant', 1_000],
    ]);
    expect((await events(tenant)).map(({ event_type }) => event_type.split('.').at(-1))).toEqual([
      'credited', 'reversed', 'reversed', 'credited',
    ]); // prettier-ignore
  });

  it('that is reversed after its credits are spent leaves a negative balance, on which nothing is sold', async () => {
    const tenant = await testTenant(running.database, { credits: 0 });
    const topup = await running.create(tenant);
    const payment = running.simulator.pay(topup.preference_id, 'approve');
    await running.callback(payment.id);
    const charge = () =>
      running.database.query(`select platform_v1.charge($1, 'seal', 'signature', $2, 40)`, [tenant.id, randomUUID()]);
    const [{ hold }] = (await running.database.query(
      `select platform_v1.hold($1, 'identity', 'flow_session', $2, 80, 600) as hold`,
      [tenant.id, randomUUID()],
    )) as [{ hold: string }];
    await charge();
    running.simulator.refund(payment.id);
    await running.callback(payment.id);
    expect(await balance(tenant)).toBe(-120);
    await expect(charge()).rejects.toMatchObject({ code: 'CN402' });
    const item = {
      ord: 0,
      tenant_id: tenant.id,
      module: 'seal',
      ref_type: 'signature',
      ref_id: randomUUID(),
      amount: 40,
    };
    const [batch] = await running.database.query('select platform_v1.charge_batch($1) as ords', [
      JSON.stringify([item]),
    ]);
    expect(batch).toEqual({ ords: [] }); // what commit_work debits by: the request is answered 402
    // What was held is given back although the balance stays negative.
    await running.database.query('select platform_v1.release($1)', [hold]);
    expect(await balance(tenant)).toBe(-40);
    expect(await running.database.query('select * from platform.verify_ledger($1)', [tenant.id])).toEqual([]);
  });

  it('reaches endpoints of billing, and endpoints of other modules that name the event', async () => {
    const tenant = await testTenant(running.database);
    const put = (module: string, event_types?: string[]) =>
      call(`/tenants/${tenant.id}/webhook-endpoints/${module}`, {
        method: 'PUT',
        key: tenant.apiKey,
        body: { url: 'http://127.0.0.1:9/', ...(event_types && { event_types }) },
      });
    expect((await put('billing')).status).toBe(200);
    expect((await put('seal', ['credits.balance.credited'])).status).toBe(200);
    expect((await put('identity')).status).toBe(200);
    const topup = await running.create(tenant);
    await running.callback(running.simulator.pay(topup.preference_id, 'approve').id);
    const deliveries = await running.database.query(
      `select module, event_type from platform.delivery where tenant_id = $1 order by module`,
      [tenant.id],
    );
    expect(deliveries).toEqual(
      ['billing', 'seal'].map((module) => ({ module, event_type: 'credits.balance.credited' })),
    );
  });
});

describe('a callback', () => {
  it('with a forged signature changes nothing, is counted, and asks the provider nothing', async () => {
    const tenant = await testTenant(running.database);
    const topup = await running.create(tenant);
    const payment = running.simulator.pay(topup.preference_id, 'approve');
    const before = await metric('payment_callbacks_total{outcome="forged"');
    const asked = await metric('payment_provider_calls_total{method="GET"');
    expect(await running.callback(payment.id, { secret: 'not-the-secret' })).toBe(401);
    expect(await balance(tenant)).toBe(1_000);
    expect(await show(tenant, topup)).toMatchObject({ status: 'pending' });
    expect(await metric('payment_callbacks_total{outcome="forged"')).toBe(before + 1);
    expect(await metric('payment_provider_calls_total{method="GET"')).toBe(asked);
  });

  it('that is stale moves no credits by itself: it only makes us look', async () => {
    const tenant = await testTenant(running.database);
    const topup = await running.create(tenant);
    const payment = running.simulator.pay(topup.preference_id, 'approve');
    const yesterday = Date.now() - 86_400_000;
    expect(await running.callback(payment.id, { at: yesterday })).toBe(200);
    expect(await balance(tenant)).toBe(3_425); // the look-up is right
    for (let i = 0; i < 3; i++) expect(await running.callback(payment.id, { at: yesterday })).toBe(200);
    expect(await balance(tenant)).toBe(3_425);
    running.simulator.refund(payment.id);
    expect(await running.callback(payment.id, { at: yesterday })).toBe(200);
    expect(await balance(tenant)).toBe(1_000); // an old "approved" does not bring back what was refunded
  });

  it('whose body lies, is no JSON, or is missing is worth what its signed address is worth', async () => {
    const tenant = await testTenant(running.database);
    const topup = await running.create(tenant);
    const payment = running.simulator.pay(topup.preference_id, 'pending');
    const notificationUrl = `${running.platform.url}/v1/billing/callbacks/mercadopago`;
    const { url, headers } = callbackRequest({ notificationUrl, paymentId: payment.id, secret: WEBHOOK_SECRET });
    const path = url.slice(running.platform.url.length);
    for (const [body, type] of [
      ['{"data":{"id":"1"},"status":"approved"}', 'application/json'],
      ['{broken', 'application/json'],
      ['status=approved', 'application/x-www-form-urlencoded'],
    ]) {
      const answer = await call(path, { body, headers: { ...headers, 'content-type': type as string } });
      expect(answer.status).toBe(200);
    }
    const { 'content-type': _, ...bare } = headers;
    expect((await call(path, { method: 'POST', headers: bare })).status).toBe(200);
    expect(await balance(tenant)).toBe(1_000);
  });

  it('counts against a limit of its own, of 600 a minute: the provider calls from few addresses', async () => {
    const answer = await call('/v1/billing/callbacks/mercadopago?data.id=1', { method: 'POST' });
    expect(answer.headers.get('x-ratelimit-limit')).toBe('600');
    expect(answer.headers.get('ratelimit-policy')).toBe('"payment-callbacks";q=600;w=60');
  });

  it('without a signature, of another provider, or of a payment that is not ours is refused or ignored', async () => {
    expect((await call('/v1/billing/callbacks/mercadopago?data.id=1', { method: 'POST' })).status).toBe(400);
    expect((await call('/v1/billing/callbacks/stripe', { method: 'POST' })).status).toBe(404);
    expect(await running.callback('999999')).toBe(200);
  });

  it('is answered 503 while the provider cannot be asked, so that it comes again', async () => {
    const own = await runningTopups({ PAYMENT_PROVIDER_URL: 'http://127.0.0.1:9', PAYMENT_TIMEOUT_MS: '500' });
    try {
      expect(await own.callback('42')).toBe(503);
      const tenant = await testTenant(own.database);
      const answer = await own.platform.call('/v1/billing/topup', {
        key: tenant.apiKey,
        body: { amount_cop: 100_000 },
      });
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('30');
      expect(answer.body.type).toMatch(/payment-provider-unavailable$/);
      const { body } = await own.platform.call<{ data: unknown[] }>('/v1/billing/topups', { key: tenant.apiKey });
      expect(body.data).toEqual([]);
    } finally {
      await own.close();
    }
  });
});

describe('a lost callback', () => {
  it('is found by the look that is due five minutes after the top-up was created', async () => {
    const tenant = await testTenant(running.database);
    const topup = await running.create(tenant);
    running.simulator.pay(topup.preference_id, 'approve');
    const [due] = await running.database.query<{ seconds: number }>(
      'select extract(epoch from check_at - now())::float as seconds from platform.topup where id = $1',
      [uuidOf('top', topup.id)],
    );
    expect(due?.seconds).toBeLessThanOrEqual(300);
    const sweep = running.platform.app.get(CheckPending, { strict: false });
    await sweep.run();
    expect(await balance(tenant)).toBe(1_000); // not due yet
    await running.database.query(`update platform.topup set check_at = now() where id = $1`, [uuidOf('top', topup.id)]);
    await Promise.all([sweep.run(), sweep.run()]);
    expect(await balance(tenant)).toBe(3_425);
    expect(await metric('topups_recovered_total')).toBeGreaterThan(0);
  });

  it('is found at once by a refresh, six times a minute', async () => {
    const tenant = await testTenant(running.database);
    const topup = await running.create(tenant);
    running.simulator.pay(topup.preference_id, 'approve');
    const refresh = () =>
      call<TopupAnswer>(`/v1/billing/topups/${topup.id}/refresh`, { method: 'POST', key: tenant.apiKey });
    const { status, body } = await refresh();
    expect([status, body]).toMatchObject([200, { status: 'credited', credited_credits: 2_425 }]);
    for (let i = 0; i < 5; i++) expect((await refresh()).status).toBe(200);
    expect((await refresh()).status).toBe(429);
  });

  it('is not looked for any more once nothing can be paid', async () => {
    const tenant = await testTenant(running.database);
    const topup = await running.create(tenant);
    const id = uuidOf('top', topup.id);
    await running.database.query(
      `update platform.topup set check_at = now(), expires_at = now() - interval '2 hours', created_at = now() - interval '3 hours' where id = $1`,
      [id],
    );
    await running.platform.app.get(CheckPending, { strict: false }).run();
    expect(await show(tenant, topup)).toMatchObject({ status: 'expired' });
    const [row] = await running.database.query('select check_at from platform.topup where id = $1', [id]);
    expect(row).toEqual({ check_at: null });
  });
});

describe('a payer', () => {
  it('goes back to the stored address only, of a registered origin, with a status that is cosmetic', async () => {
    const tenant = await testTenant(running.database);
    const origins = { origins: ['https://app.example.com', 'http://localhost:4000'] };
    const put = await call('/v1/billing/return-origins', { method: 'PUT', key: tenant.apiKey, body: origins });
    expect([put.status, put.body]).toEqual([200, origins]);
    expect((await call('/v1/billing/return-origins', { key: tenant.apiKey })).body).toEqual(origins);
    const topup = await running.create(tenant, { return_url: 'https://app.example.com/billing?a=1' });
    const back = async (query: string) =>
      (await call(`/v1/billing/topups/${topup.id}/return${query}`)).headers.get('location');
    const expected = `https://app.example.com/billing?a=1&status=approved&topup_id=${topup.id}`;
    expect(await back('?outcome=approved&return_url=https://evil.example&status=rejected')).toBe(expected);
    expect(await back('?outcome=evil')).toContain('status=failure');
    expect(await back('')).toContain('status=failure');
    expect(await show(tenant, topup)).toMatchObject({ status: 'pending', credited_credits: 0 });
    expect((await call('/v1/billing/topups/top_00000000000000000000000000/return')).status).toBe(404);
  });

  it('without an address to return to sees a page', async () => {
    const tenant = await testTenant(running.database);
    const topup = await running.create(tenant);
    const answer = await call(`/v1/billing/topups/${topup.id}/return?outcome=approved`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/payment-return']);
    expect((await call('/payment-return')).text).toContain('Gracias');
  });

  it.each(['https://app.example.com/x', 'http://app.example.com', 'app.example.com', 'https://a@b.example', 'null'])(
    'is not sent to the origin %j',
    async (origin) => {
      const tenant = await testTenant(running.database);
      const { status, body } = await call<{ errors: { pointer: string }[] }>('/v1/billing/return-origins', {
        method: 'PUT',
        key: tenant.apiKey,
        body: { origins: [origin] },
      });
      expect([status, body.errors[0]?.pointer]).toEqual([400, '/origins/0']);
    },
  );
});
