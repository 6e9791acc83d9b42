import { CreditLedger } from '@constancia/credit-ledger';
import { uuidv7 } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import type { Problem } from '@constancia/testing/calls';
import { parse } from 'csv-parse/sync';
import type { QueryRunner } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DailyTotals1764000003100 } from '../../migrations/1764000003100-daily-totals.ts';
import { type RunningPlatform, runningPlatform } from '../../running-platform.fixture.ts';
import type { UsageReport } from './show-usage.ts';

let database: TestDatabase;
let platform: RunningPlatform;
let identity: Database;
const ledger = new CreditLedger();

beforeAll(async () => {
  database = await testDatabase();
  platform = await runningPlatform(database);
  identity = await Database.connect({ url: database.app('identity'), applicationName: 'test', poolSize: 8 });
});
afterAll(async () => {
  await platform?.close();
  await identity?.close();
  await database?.drop();
});

type Operation = (tenant: TestTenant) => Promise<unknown>;

const charge =
  (module: string, refType: string, amount: number): Operation =>
  ({ id }) =>
    database.query('select platform_v1.charge($1, $2, $3, $4, $5)', [id, module, refType, uuidv7(), amount]);
const signature = charge('seal', 'signature', 40);
const screening = charge('compliance', 'screening', 8);

const refunded: Operation = async ({ id }) => {
  const given = [id, 'seal', 'signature', uuidv7(), 40];
  await database.query('select platform_v1.charge($1, $2, $3, $4, $5)', given);
  await database.query('select platform_v1.refund($1, $2, $3, $4, $5)', given);
};
const held =
  (then: 'capture' | 'release' | 'nothing'): Operation =>
  async ({ id }) => {
    const debit = { module: 'identity', refType: 'step_run', refId: uuidv7(), amount: 80 };
    const hold = await identity.tenant(id, (tx) => ledger.hold(tx, id, debit, 600));
    if (then !== 'nothing') await identity.tenant(id, (tx) => ledger[then](tx, hold));
  };
/** Several tenants may be in a batch, as in one of signing. */
const batch =
  (...others: TestTenant[]): Operation =>
  async (tenant) => {
    const ids = [tenant, ...others].map(({ id }) => id);
    const items = ids.flatMap((tenant_id) =>
      ['signature', 'envelope', 'signature'].map((ref_type) => ({ tenant_id, ref_type })),
    );
    await database.query(
      `select platform_v1.lock_accounts($1), platform_v1.charge_batch($2)`,
      [ids, JSON.stringify(items.map((item, ord) => ({ ...item, ord, module: 'seal', ref_id: uuidv7(), amount: 40 })))],
    ); // prettier-ignore
  };

const usage = (tenant: TestTenant, query = '') =>
  platform.call<UsageReport>(`/v1/billing/usage${query}`, { key: tenant.apiKey });

/** What the entries themselves say, by module and object. */
const fromEntries = (tenant: TestTenant) =>
  database.query<{ module: string; ref_type: string; count: number; credits: number; refunded: number }>(
    `select module, ref_type, count(*) filter (where kind <> 'refund')::int as count,
            coalesce(sum(quantity) filter (where kind <> 'refund'), 0)::int as credits,
            coalesce(sum(quantity) filter (where kind = 'refund'), 0)::int as refunded
       from platform.credit_entry where tenant_id = $1 and kind in ('debit', 'capture', 'refund') group by 1, 2 order by 1, 2`,
    [tenant.id],
  );

const verdict = (tenant: TestTenant) => database.query('select * from platform.verify_ledger($1)', [tenant.id]);

/** Entries of some other time: the ledger's own functions write only those of now. */
const entryAt = (tenant: TestTenant, at: string, kind = 'debit', amount = 40) =>
  database.query(
    `insert into platform.credit_entry
       (tenant_id, seq, kind, amount, quantity, balance_after, debit_account, credit_account, module, ref_type, ref_id, created_at)
     select $1, coalesce(max(seq), 0) + 1, $3, -$4::int, $4, 0, 'a', 'b', 'seal', 'signature', gen_random_uuid(), $2
       from platform.credit_entry where tenant_id = $1`,
    [tenant.id, at, kind, amount],
  );

describe('GET /v1/billing/usage', () => {
  it('counts debits and spent holds once, shows refunds beside them, and leaves out holds that were not spent', async () => {
    const tenant = await testTenant(database);
    const work = [signature, screening, screening, refunded, held('capture'), held('release'), held('nothing')];
    for (const operation of work) await operation(tenant);

    const { status, body, headers } = await usage(tenant);
    expect(status).toBe(200);
    expect(headers.get('vary')).toContain('Accept');
    const today = body.data[0]?.period as string;
    expect(body.data).toEqual([
      { period: today, module: 'compliance', operation: 'screening', count: 2, credits: 16, refunded: 0 },
      { period: today, module: 'identity', operation: 'kyc', count: 1, credits: 80, refunded: 0 },
      { period: today, module: 'seal', operation: 'signature', count: 2, credits: 80, refunded: 40 },
    ]);
    expect(await verdict(tenant)).toEqual([]);
  });

  it('is what the entries add up to after hundreds of operations at once, of tenants that share batches', async () => {
    const tenants = await Promise.all(Array.from({ length: 3 }, () => testTenant(database, { credits: 100_000 })));
    const [first, second, third] = tenants as [TestTenant, TestTenant, TestTenant];
    const work = [
      signature, screening, refunded, held('capture'), held('release'), batch(), batch(second), batch(first, third),
    ]; // prettier-ignore
    const lanes = Array.from({ length: 24 }, async (_, lane) => {
      for (let nth = 0; nth < 16; nth++) {
        const tenant = tenants[(lane + nth) % 3] as TestTenant;
        const operation = work[(lane * 7 + nth) % work.length] as Operation;
        await operation(tenant);
      }
    });
    await Promise.all(lanes);

    for (const tenant of tenants) {
      const { body } = await usage(tenant);
      const entries = await fromEntries(tenant);
      expect(entries.length).toBeGreaterThanOrEqual(4);
      expect(body.data.map(({ count, credits, refunded }) => ({ count, credits, refunded }))).toEqual(
        entries.map(({ count, credits, refunded }) => ({ count, credits, refunded })),
      );
      expect(await verdict(tenant)).toEqual([]);
    }
  });

  it('has nothing of a debit whose transaction was rolled back', async () => {
    const tenant = await testTenant(database);
    const debit = { module: 'identity', refType: 'step_run', refId: uuidv7(), amount: 80 };
    const broken = identity.tenant(tenant.id, async (tx) => {
      await ledger.debit(tx, tenant.id, debit);
      throw new Error('after the debit');
    });
    await expect(broken).rejects.toThrow('after the debit');
    expect((await usage(tenant)).body.data).toEqual([]);
    expect(await verdict(tenant)).toEqual([]);
  });

  it('ends a day at midnight in Colombia, and groups by month', async () => {
    const tenant = await testTenant(database, { credits: 0 });
    for (const at of ['2026-03-01T04:59:59.999Z', '2026-03-01T05:00:00Z', '2026-03-02T04:59:59Z', '2026-03-31T23:00:00Z'])
      await entryAt(tenant, at); // prettier-ignore
    await entryAt(tenant, '2026-04-01T04:00:00Z', 'refund');
    const line = { module: 'seal', operation: 'signature' };

    expect((await usage(tenant, '?from=2026-02-01&to=2026-04-30')).body.data).toEqual([
      { period: '2026-02-28', ...line, count: 1, credits: 40, refunded: 0 },
      { period: '2026-03-01', ...line, count: 2, credits: 80, refunded: 0 },
      { period: '2026-03-31', ...line, count: 1, credits: 40, refunded: 40 },
    ]);
    expect((await usage(tenant, '?from=2026-02-01&to=2026-04-30&by=month')).body.data).toEqual([
      { period: '2026-02', ...line, count: 1, credits: 40, refunded: 0 },
      { period: '2026-03', ...line, count: 3, credits: 120, refunded: 40 },
    ]);
    expect((await usage(tenant, '?from=2026-03-01&to=2026-03-01')).body.data).toHaveLength(1);
    expect((await usage(tenant, '?to=2026-03-15')).body.data.map(({ period }) => period)).toEqual(['2026-03-01']);
  });

  it('is a CSV file where the caller accepts that', async () => {
    const tenant = await testTenant(database, { credits: 0 });
    await entryAt(tenant, '2026-03-01T12:00:00Z');
    const answer = await platform.call('/v1/billing/usage?from=2026-03-01&to=2026-03-31', {
      key: tenant.apiKey,
      headers: { accept: 'text/csv' },
    });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="usage-2026-03-01-2026-03-31.csv"');
    expect(parse(answer.text, { record_delimiter: '\r\n' })).toEqual([
      ['period', 'module', 'operation', 'count', 'credits', 'refunded'],
      ['2026-03-01', 'seal', 'signature', '1', '40', '0'],
    ]);
  });

  it.each([
    ['?from=2026-03-02&to=2026-03-01', '/query/to'],
    ['?from=2025-01-01&to=2026-02-05', '/query/from'],
    ['?from=2010-01-01&to=2026-02-05&by=month', '/query/from'],
    ['?from=2026-02-30', '/query/from'],
    ['?to=2026-02-01T00:00:00Z', '/query/to'],
    ['?by=week', '/query/by'],
    ['?cursor=x', '/query/cursor'],
  ])('refuses %s', async (query, pointer) => {
    const tenant = await testTenant(database);
    const { status, body } = await platform.call<Problem>(`/v1/billing/usage${query}`, { key: tenant.apiKey });
    expect(status).toBe(400);
    expect(body.errors?.map((error) => error.pointer)).toEqual([pointer]);
  });

  it('covers 400 days by day', async () => {
    const tenant = await testTenant(database);
    expect((await usage(tenant, '?from=2025-01-01&to=2026-02-04')).status).toBe(200);
    const { body } = await usage(tenant, '?from=2025-01-01&to=2026-02-05');
    expect(JSON.stringify(body)).toContain('begin on 2025-01-02 or later');
  });

  it('shows nothing of another tenant, and needs a key', async () => {
    const [tenant, stranger] = await Promise.all([testTenant(database), testTenant(database)]);
    await signature(stranger);
    expect((await usage(tenant)).body.data).toEqual([]);
    expect((await platform.call('/v1/billing/usage')).status).toBe(401);
  });
});

describe('the daily totals', () => {
  it('are missed by nothing that was in the ledger before them', async () => {
    const old = await testDatabase();
    try {
      const tenant = await testTenant(old, { credits: 5_000 });
      for (let nth = 0; nth < 20; nth++)
        await old.query(`select platform_v1.charge($1, 'seal', 'signature', $2, 40)`, [tenant.id, uuidv7()]);
      const totals =
        'select tenant_id, day, module, ref_type, kind, entries, quantity, amount from platform.credit_daily_total';
      const before = await old.query(`${totals} order by kind`);
      await old.query('drop trigger credit_entry_daily_totals on platform.credit_entry');
      await old.query('drop function platform.add_to_daily_totals');
      await old.query('drop table platform.credit_daily_total');
      const owner = { query: (sql: string) => old.query(`set role platform_owner; ${sql}; reset role`) };
      await new DailyTotals1764000003100().up(owner as unknown as QueryRunner);
      expect(await old.query(`${totals} order by kind`)).toEqual(before);
      expect(before).toHaveLength(2);
      await old.query(`select platform_v1.charge($1, 'seal', 'signature', $2, 40)`, [tenant.id, uuidv7()]);
      expect(await old.query('select * from platform.verify_ledger()')).toEqual([]);
    } finally {
      await old.drop();
    }
  });

  it('that somebody changed are a finding of the check of the ledger', async () => {
    const tenant = await testTenant(database);
    await signature(tenant);
    await database.query(`update platform.credit_daily_total set quantity = quantity + 1 where tenant_id = $1 and kind = 'debit'`, [tenant.id]); // prettier-ignore
    expect(await verdict(tenant)).toEqual([
      { tenant_id: tenant.id, problem: expect.stringContaining('daily totals differ from the entries on 1 days') as string },
    ]); // prettier-ignore
    await database.query(`update platform.credit_daily_total set quantity = quantity - 1 where tenant_id = $1 and kind = 'debit'`, [tenant.id]); // prettier-ignore
    expect(await verdict(tenant)).toEqual([]);
  });

  it('can be read and not written by the processes', async () => {
    const tenant = await testTenant(database);
    const app = await Database.connect({ url: database.app('platform'), applicationName: 'test' });
    try {
      const write = app.tenant(tenant.id, (tx) => tx.query('update platform.credit_daily_total set quantity = 0'));
      await expect(write).rejects.toThrow('permission denied');
    } finally {
      await app.close();
    }
  });
});
