import { type Mailbox, type ReceivedMail, startMailbox } from '@constancia/dev-servers/mailbox';
import { CreditLedger } from '@constancia/credit-ledger';
import { uuidv7 } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import {
  eventually,
  freePort,
  testDatabase,
  type TestDatabase,
  testMember,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import type { Problem } from '@constancia/testing/calls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../../running-platform.fixture.ts';
import type { BillingSettingsView } from './billing-settings.ts';

let database: TestDatabase;
let platform: RunningPlatform;
let mailbox: Mailbox;
let identity: Database;
const ledger = new CreditLedger();

beforeAll(async () => {
  database = await testDatabase();
  mailbox = await startMailbox({ smtpPort: await freePort() });
  platform = await runningPlatform(database, { SMTP_URL: mailbox.smtpUrl });
  identity = await Database.connect({ url: database.app('identity'), applicationName: 'test', poolSize: 16 });
});
afterAll(async () => {
  await platform?.close();
  await identity?.close();
  await mailbox?.close();
  await database?.drop();
});

const settings = (tenant: TestTenant, body?: unknown) =>
  platform.call<BillingSettingsView>('/v1/billing/settings', {
    key: tenant.apiKey,
    ...(body !== undefined && { method: 'PUT', body }),
  });

const debitOf = (amount: number) => ({ module: 'identity', refType: 'step_run', refId: uuidv7(), amount });
const debit = ({ id }: TestTenant, amount: number) =>
  identity.tenant(id, (tx) => ledger.debit(tx, id, debitOf(amount)));
const grant = ({ id }: TestTenant, amount: number) =>
  database.query(`select platform_v1.grant_credits($1, $2, 'test', $3, null)`, [id, amount, uuidv7()]);

interface LowEvent {
  event_id: string;
  occurred_at: string;
  payload: { balance_after: number; low_balance_threshold: number };
}

/** The bodies of the tenant's events, the oldest first. */
const events = async ({ id }: TestTenant): Promise<LowEvent[]> => {
  const rows = await database.query<{ body: string }>(
    `select body from platform.event where tenant_id = $1 and module = 'billing' and event_type = 'credits.balance.low' order by event_id`,
    [id],
  );
  return rows.map(({ body }) => JSON.parse(body) as LowEvent);
};

/** How often the balance fell below the threshold, by the entries of the ledger alone. */
const crossings = async ({ id }: TestTenant, threshold: number): Promise<number> => {
  const [row] = await database.query<{ crossings: number }>(
    `select count(*)::int as crossings
       from (select balance_after, lag(balance_after) over (order by seq) as before from platform.credit_entry where tenant_id = $1) e
      where e.before >= $2 and e.balance_after < $2`,
    [id, threshold],
  );
  return row?.crossings ?? 0;
};

const mailsTo = (tenant: TestTenant): ReceivedMail[] => mailbox.messages(`owner@${tenant.slug}.example`);

describe('PUT /v1/billing/settings', () => {
  it('sets the threshold, and GET shows it with whether the balance is below it', async () => {
    const tenant = await testTenant(database);
    expect((await settings(tenant)).body).toEqual({ low_balance_threshold: null, notify: true, balance_is_low: false });
    const low = { low_balance_threshold: 2_000, notify: false };
    expect((await settings(tenant, low)).body).toEqual({ ...low, balance_is_low: true });
    expect((await settings(tenant)).body).toEqual({ ...low, balance_is_low: true });
    expect((await settings(tenant, { low_balance_threshold: 1_000 })).body).toEqual({
      low_balance_threshold: 1_000,
      notify: true,
      balance_is_low: false,
    });
    expect((await settings(tenant, { low_balance_threshold: null })).body.low_balance_threshold).toBeNull();
    expect(await events(tenant)).toEqual([]);
  });

  it.each([
    [{}, '/low_balance_threshold'],
    [{ low_balance_threshold: 0 }, '/low_balance_threshold'],
    [{ low_balance_threshold: 1.5 }, '/low_balance_threshold'],
    [{ low_balance_threshold: '500' }, '/low_balance_threshold'],
    [{ low_balance_threshold: 3_000_000_000 }, '/low_balance_threshold'],
    [{ low_balance_threshold: 500, notify: 'yes' }, '/notify'],
    [{ low_balance_threshold: 500, threshold: 1 }, '/threshold'],
  ])('refuses %j', async (body, pointer) => {
    const tenant = await testTenant(database);
    const answer = await platform.call<Problem>('/v1/billing/settings', { method: 'PUT', key: tenant.apiKey, body });
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.map((error) => error.pointer)).toEqual([pointer]);
  });

  it('is recorded in the audit log of the tenant, with what it was before', async () => {
    const tenant = await testTenant(database);
    await settings(tenant, { low_balance_threshold: 900 });
    await settings(tenant, { low_balance_threshold: 950, notify: false });
    const { body } = await platform.call<{ data: Record<string, unknown>[] }>('/v1/audit-log', { key: tenant.apiKey });
    expect(body.data.filter(({ action }) => action === 'billing_settings.changed')).toEqual([
      expect.objectContaining({
        before: { low_balance_threshold: 900, notify: true },
        after: { low_balance_threshold: 950, notify: false },
      }),
      expect.objectContaining({ before: { low_balance_threshold: null }, after: { low_balance_threshold: 900 } }),
    ]);
  });

  it('touches no other tenant', async () => {
    const [tenant, stranger] = await Promise.all([testTenant(database), testTenant(database)]);
    await settings(tenant, { low_balance_threshold: 900 });
    expect((await settings(stranger)).body.low_balance_threshold).toBeNull();
    await debit(stranger, 200);
    expect(await events(stranger)).toEqual([]);
  });
});

describe('the event credits.balance.low', () => {
  it('is emitted with the debit that crosses the threshold, and not by the next ones', async () => {
    const tenant = await testTenant(database);
    await settings(tenant, { low_balance_threshold: 900 });
    await debit(tenant, 100);
    expect(await events(tenant)).toEqual([]);
    for (let nth = 0; nth < 3; nth++) await debit(tenant, 10);
    const [event, ...more] = await events(tenant);
    expect(more).toEqual([]);
    expect(event).toEqual({
      event_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      tenant_id: tenant.id,
      module: 'billing',
      event_type: 'credits.balance.low',
      occurred_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/) as string,
      payload: { balance_after: 890, low_balance_threshold: 900 },
    });
    const { body } = await platform.call<{ data: { event_id: string; event_type: string; module: string }[] }>(
      '/v1/events?module=billing',
      { key: tenant.apiKey },
    );
    expect(body.data).toEqual([
      expect.objectContaining({ event_id: event?.event_id, event_type: 'credits.balance.low', module: 'billing' }),
    ]);
  });

  it('is emitted again after the balance was above the threshold again, by a hold too', async () => {
    const tenant = await testTenant(database);
    await settings(tenant, { low_balance_threshold: 950 });
    await debit(tenant, 100);
    await grant(tenant, 60);
    const hold = await identity.tenant(tenant.id, (tx) => ledger.hold(tx, tenant.id, debitOf(80), 600));
    await identity.tenant(tenant.id, (tx) => ledger.release(tx, hold));
    await debit(tenant, 10);
    await debit(tenant, 10);
    expect((await events(tenant)).map(({ payload }) => payload.balance_after)).toEqual([900, 880, 940]);
    expect(await crossings(tenant, 950)).toBe(3);
  });

  it('goes with the debit when that is rolled back', async () => {
    const tenant = await testTenant(database);
    await settings(tenant, { low_balance_threshold: 1_000 });
    const broken = identity.tenant(tenant.id, async (tx) => {
      await ledger.debit(tx, tenant.id, debitOf(40));
      throw new Error('after the debit');
    });
    await expect(broken).rejects.toThrow('after the debit');
    expect(await events(tenant)).toEqual([]);
    expect(await database.query('select 1 from platform.owner_notice where tenant_id = $1', [tenant.id])).toEqual([]);
  });

  it('is emitted exactly once when 120 debits at once cross the threshold', async () => {
    for (let round = 0; round < 5; round++) {
      const tenant = await testTenant(database);
      await settings(tenant, { low_balance_threshold: 500 });
      await Promise.all(Array.from({ length: 120 }, () => debit(tenant, 8)));
      expect((await events(tenant)).map(({ payload }) => payload.balance_after)).toEqual([496]);
    }
  });

  it('is emitted as often as the ledger crosses the threshold, whatever happens at once', async () => {
    const tenant = await testTenant(database, { credits: 3_000 });
    await settings(tenant, { low_balance_threshold: 3_000 });
    const lanes = Array.from({ length: 12 }, async (_, lane) => {
      for (let nth = 0; nth < 25; nth++) {
        if ((lane + nth) % 3 === 0) await grant(tenant, 100);
        else if ((lane + nth) % 3 === 1) await debit(tenant, 60);
        else {
          const hold = await identity.tenant(tenant.id, (tx) => ledger.hold(tx, tenant.id, debitOf(80), 600));
          await identity.tenant(tenant.id, (tx) => ledger[nth % 2 === 0 ? 'release' : 'capture'](tx, hold));
        }
      }
    });
    await Promise.all(lanes);
    const crossed = await crossings(tenant, 3_000);
    expect(crossed).toBeGreaterThan(1);
    expect(await events(tenant)).toHaveLength(crossed);
  });

  it('is emitted once for a batch of several tenants, for those that cross', async () => {
    const tenants = await Promise.all(Array.from({ length: 3 }, () => testTenant(database)));
    for (const tenant of tenants.slice(0, 2)) await settings(tenant, { low_balance_threshold: 950 });
    const items = tenants.flatMap(({ id }) => [id, id, id]).map((tenant_id, ord) => {
      return { ord, tenant_id, module: 'seal', ref_type: 'signature', ref_id: uuidv7(), amount: 40 };
    }); // prettier-ignore
    await database.query('select platform_v1.lock_accounts($1), platform_v1.charge_batch($2)', [tenants.map(({ id }) => id), JSON.stringify(items)]); // prettier-ignore
    const balances = await Promise.all(tenants.map(async (tenant) => (await events(tenant)).map(({ payload }) => payload.balance_after))); // prettier-ignore
    expect(balances).toEqual([[880], [880], []]);
  });

  it('goes to the endpoint of billing, to endpoints of other modules that name it, and to no other', async () => {
    const tenant = await testTenant(database);
    const put = async (module: string, body: object) => {
      const path = `/tenants/${tenant.id}/webhook-endpoints/${module}`;
      const answer = await platform.call<{ id: string }>(path, { method: 'PUT', key: tenant.apiKey, body: { url: 'http://127.0.0.1:9/', ...body } }); // prettier-ignore
      expect(answer.status).toBe(200);
      return answer.body.id;
    };
    const post = async (body: object) => {
      const answer = await platform.call<{ id: string; modules: string[] }>('/v1/webhook-endpoints', { method: 'POST', key: tenant.apiKey, body: { url: 'http://127.0.0.1:9/', ...body } }); // prettier-ignore
      expect(answer.status).toBe(201);
      return answer.body;
    };
    await put('seal', {});
    await put('billing', {});
    await put('identity', { event_types: ['subject.verified', 'credits.balance.low'] });
    await post({ modules: ['compliance'] });
    await post({ modules: ['compliance'], event_types: ['case.opened', 'credits.balance.low'] });
    expect((await post({ event_types: ['credits.balance.low'] })).modules).toEqual(['billing']);
    await settings(tenant, { low_balance_threshold: 1_000 });
    await debit(tenant, 1);

    const deliveries = await database.query<{ endpoint: string }>(
      `select coalesce(e.module, array_to_string(e.modules, ',') || ' ' || array_to_string(e.event_types, ',')) as endpoint
         from platform.delivery d join platform.webhook_endpoint e on e.id = d.endpoint_id
        where d.tenant_id = $1 and d.event_type = 'credits.balance.low' order by 1`,
      [tenant.id],
    );
    expect(deliveries.map(({ endpoint }) => endpoint)).toEqual([
      'billing',
      'billing credits.balance.low',
      'compliance case.opened,credits.balance.low',
      'identity',
    ]);
  });

  it('is emitted by the debit of any module, and by none as if it were its own', async () => {
    const tenant = await testTenant(database);
    const record = { event_id: uuidv7(), tenant_id: tenant.id, module: 'billing', event_type: 'credits.balance.low' };
    const forged = identity.tenant(tenant.id, (tx) =>
      tx.query(`select platform_v1.emit_event($1, $2, 'billing', 'credits.balance.low', now(), $3, null)`, [
        record.event_id,
        tenant.id,
        JSON.stringify({ ...record, payload: {} }),
      ]),
    );
    await expect(forged).rejects.toThrow('does not emit');
  });
});

describe('the mail about a low balance', () => {
  it('goes to every active owner and billing member, and to no other member', async () => {
    const tenant = await testTenant(database);
    const billing = await testMember(database, tenant.id, 'billing');
    const auditor = await testMember(database, tenant.id, 'auditor');
    const sql = 'select email from platform.billing_recipients($1) order by email';
    expect((await database.query(sql, [tenant.id])).map(({ email }) => email).sort()).toEqual(
      [billing.email, `owner@${tenant.slug}.example`].sort(),
    );
    await database.query(`update platform.member set status = 'suspended' where tenant_id = $1`, [tenant.id]);
    expect(await database.query(sql, [tenant.id])).toEqual([{ email: `owner@${tenant.slug}.example` }]);
    expect(auditor.email).not.toBe(billing.email);
  });

  it('goes to the owner in the language of the tenant, once in an hour however often the balance falls', async () => {
    const tenant = await testTenant(database);
    await settings(tenant, { low_balance_threshold: 950 });
    for (let nth = 0; nth < 3; nth++) {
      await debit(tenant, 100);
      await grant(tenant, 100);
    }
    expect(await events(tenant)).toHaveLength(3);
    await eventually(() => expect(mailsTo(tenant)).toHaveLength(1), 10_000);
    const [mail] = mailsTo(tenant);
    expect(mail?.subject).toBe(`Quedan pocos créditos: Tenant ${tenant.slug}`);
    expect(mail?.text).toContain('bajó de 950 créditos');
    expect(mail?.text).toContain('Quedan 900 créditos disponibles.');
    expect(mail?.html).toContain('PUT /v1/billing/settings');

    await database.query(`update platform.credit_account set low_balance_mailed_at = now() - interval '61 minutes' where tenant_id = $1`, [tenant.id]); // prettier-ignore
    await debit(tenant, 100);
    await eventually(() => expect(mailsTo(tenant)).toHaveLength(2), 10_000);
  });

  it('is not for a member who switched it off, and the console shows it once an hour to all who get it', async () => {
    const tenant = await testTenant(database);
    const [loud, quiet] = [await testMember(database, tenant.id, 'billing'), await testMember(database, tenant.id, 'billing')]; // prettier-ignore
    await testMember(database, tenant.id, 'analyst');
    await database.query(
      `insert into platform.notification_settings (member_id, tenant_id, mail_off, console_off) values ($1, $2, '{balance_low}', '{}')`,
      [quiet.id, tenant.id],
    );
    await settings(tenant, { low_balance_threshold: 950 });
    await Promise.all(Array.from({ length: 10 }, () => debit(tenant, 20)));
    await grant(tenant, 500);
    await debit(tenant, 500);
    expect(await events(tenant)).toHaveLength(2);
    const told = await database.query<{ role: string }>(
      `select m.role from platform.member_notification n join platform.member m on m.id = n.member_id
        where n.tenant_id = $1 and n.kind = 'balance_low' order by role`,
      [tenant.id],
    );
    expect(told.map(({ role }) => role)).toEqual(['billing', 'billing', 'owner']);
    await eventually(() => expect([mailsTo(tenant), mailbox.messages(loud.email)].map((mails) => mails.length)).toEqual([1, 1]), 10_000); // prettier-ignore
    expect(mailbox.messages(quiet.email)).toEqual([]);
  });

  it('is in the language of the member', async () => {
    const tenant = await testTenant(database);
    await database.query(`update platform.member set locale = 'en' where tenant_id = $1`, [tenant.id]);
    await settings(tenant, { low_balance_threshold: 1_000 });
    await debit(tenant, 40);
    await eventually(() => expect(mailsTo(tenant)).toHaveLength(1), 10_000);
    expect(mailsTo(tenant)[0]?.subject).toBe(`Few credits are left: Tenant ${tenant.slug}`);
    expect(mailsTo(tenant)[0]?.text).toContain('fell below 1,000 credits');
    expect(mailsTo(tenant)[0]?.text).toContain('960 credits are available.');
  });

  it('is not sent where the tenant does not want it: the event is', async () => {
    const tenant = await testTenant(database);
    await settings(tenant, { low_balance_threshold: 1_000, notify: false });
    await debit(tenant, 40);
    expect(await events(tenant)).toHaveLength(1);
    expect(await database.query('select 1 from platform.owner_notice where tenant_id = $1', [tenant.id])).toEqual([]);
    expect(mailsTo(tenant)).toEqual([]);
  });
});
