import { CreditLedger } from '@constancia/credit-ledger';
import { bogotaDay, uuidv7 } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import type { Problem } from '@constancia/testing/calls';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../../running-platform.fixture.ts';
import type { StatementView } from './statement-view.ts';

let database: TestDatabase;
let platform: RunningPlatform;
let identity: Database;
const ledger = new CreditLedger();

beforeAll(async () => {
  database = await testDatabase();
  platform = await runningPlatform(database);
  identity = await Database.connect({ url: database.app('identity'), applicationName: 'test' });
});
afterAll(async () => {
  await platform?.close();
  await identity?.close();
  await database?.drop();
});

const statement = (tenant: TestTenant, month: string) =>
  platform.call<StatementView>(`/v1/billing/statements/${month}`, { key: tenant.apiKey });

/** kind, module, kind of object, effect on the balance, quantity. */
type Entry = [at: string, kind: string, module: string, refType: string, amount: number, quantity: number];

/** Entries of some other time, one after the other. */
async function write(tenant: TestTenant, entries: Entry[]): Promise<void> {
  for (const [at, kind, module, refType, amount, quantity] of entries)
    await database.query(
      `insert into platform.credit_entry
         (tenant_id, seq, kind, amount, quantity, balance_after, debit_account, credit_account, module, ref_type, ref_id, created_at)
       select $1, coalesce(max(seq), 0) + 1, $3, $6::bigint, $7, coalesce(sum(amount), 0) + $6::bigint, 'a', 'b', $4, $5, gen_random_uuid(), $2
         from platform.credit_entry where tenant_id = $1`,
      [tenant.id, at, kind, module, refType, amount, quantity],
    ); // prettier-ignore
}

const YEAR: Entry[] = [
  ['2026-01-10T12:00:00Z', 'grant', 'platform', 'tenant', 1_000, 1_000],
  ['2026-01-31T23:00:00Z', 'hold', 'identity', 'step_run', -80, 80],
  ['2026-02-01T04:59:59Z', 'debit', 'seal', 'signature', -40, 40], // still January in Colombia
  ['2026-02-01T05:00:00Z', 'capture', 'identity', 'step_run', 0, 80],
  ['2026-02-03T12:00:00Z', 'debit', 'seal', 'signature', -40, 40],
  ['2026-02-03T12:00:01Z', 'debit', 'seal', 'signature', -40, 40],
  ['2026-02-04T12:00:00Z', 'refund', 'seal', 'signature', 40, 40],
  ['2026-02-05T12:00:00Z', 'debit', 'compliance', 'screening', -8, 8],
  ['2026-02-06T12:00:00Z', 'hold', 'identity', 'step_run', -80, 80],
  ['2026-02-07T12:00:00Z', 'release', 'identity', 'step_run', 80, 80],
  ['2026-02-28T12:00:00Z', 'hold', 'identity', 'step_run', -80, 80],
  ['2026-03-01T12:00:00Z', 'capture', 'identity', 'step_run', 0, 80],
];

const FEBRUARY = {
  month: '2026-02',
  status: 'final',
  final_from: '2026-03-01T06:00:00.000Z',
  opening_balance: { available: 880, held: 80 },
  grants: { count: 0, credits: 0 },
  top_ups: { count: 0, credits: 0 },
  reversals: { count: 0, credits: 0 },
  usage: [
    { module: 'compliance', operation: 'screening', count: 1, credits: 8, refunded: 0 },
    { module: 'identity', operation: 'kyc', count: 1, credits: 80, refunded: 0 },
    { module: 'seal', operation: 'signature', count: 2, credits: 80, refunded: 40 },
  ],
  used: 168,
  refunded: 40,
  closing_balance: { available: 752, held: 80 },
};

const whole = ({ available, held }: { available: number; held: number }) => available + held;

function expectToAddUp(body: StatementView): void {
  const { opening_balance, grants, top_ups, reversals, used, refunded, closing_balance } = body;
  expect(whole(opening_balance) + grants.credits + top_ups.credits - reversals.credits - used + refunded).toBe(
    whole(closing_balance),
  );
}

describe('GET /v1/billing/statements/{month}', () => {
  it('shows a month in Colombia, from its opening to its closing balance', async () => {
    const tenant = await testTenant(database, { credits: 0 });
    await write(tenant, YEAR);
    const { status, body } = await statement(tenant, '2026-02');
    expect(status).toBe(200);
    expect(body).toEqual(FEBRUARY);
    expectToAddUp(body);
  });

  it('begins each month with what the month before ended with', async () => {
    const tenant = await testTenant(database, { credits: 0 });
    await write(tenant, YEAR);
    const months = ['2025-12', '2026-01', '2026-02', '2026-03', '2026-04'];
    const statements = await Promise.all(months.map(async (month) => (await statement(tenant, month)).body));
    statements.forEach((each, nth) => {
      expectToAddUp(each);
      if (nth > 0) expect(each.opening_balance).toEqual(statements[nth - 1]?.closing_balance);
    });
    expect(statements[0]?.closing_balance).toEqual({ available: 0, held: 0 });
    expect(statements[1]?.grants).toEqual({ count: 1, credits: 1_000 });
    expect(statements[4]?.closing_balance).toEqual({ available: 752, held: 0 });
  });

  it('ends the month that is not over with the present balance, and says that it is provisional', async () => {
    const tenant = await testTenant(database);
    const hold = async (settle: 'capture' | 'release' | null) => {
      const debit = { module: 'identity', refType: 'step_run', refId: uuidv7(), amount: 80 };
      const id = await identity.tenant(tenant.id, (tx) => ledger.hold(tx, tenant.id, debit, 600));
      if (settle) await identity.tenant(tenant.id, (tx) => ledger[settle](tx, id));
    };
    await Promise.all([hold('capture'), hold('release'), hold(null), hold('capture')]);
    const { body } = await statement(tenant, bogotaDay(new Date()).slice(0, 7));
    expect(body.status).toBe('provisional');
    expect(Date.parse(body.final_from)).toBeGreaterThan(Date.now());
    expectToAddUp(body);
    const balance = await platform.call('/v1/billing/balance', { key: tenant.apiKey });
    expect(body.closing_balance).toEqual(balance.body);
    expect(body.usage).toEqual([{ module: 'identity', operation: 'kyc', count: 2, credits: 160, refunded: 0 }]);
  });

  it('is a CSV file where the caller accepts that, whose lines add up', async () => {
    const tenant = await testTenant(database, { credits: 0 });
    await write(tenant, YEAR);
    const answer = await platform.call('/v1/billing/statements/2026-02', {
      key: tenant.apiKey,
      headers: { accept: 'text/csv' },
    });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="statement-2026-02.csv"');
    const rows = parse(answer.text, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
    expect(rows.map((row) => [row.line, row.module, row.operation, row.count, row.credits].join(' ').trim())).toEqual([
      'opening_balance    960',
      'grants   0 0',
      'top_ups   0 0',
      'reversals   0 0',
      'usage compliance screening 1 -8',
      'refunds compliance screening  0',
      'usage identity kyc 1 -80',
      'refunds identity kyc  0',
      'usage seal signature 2 -80',
      'refunds seal signature  40',
      'closing_balance    832',
      'of_which_held    80',
    ]);
    expect(new Set(rows.map((row) => `${row.month} ${row.status}`))).toEqual(new Set(['2026-02 final']));
    const closing = rows.findIndex(({ line }) => line === 'closing_balance');
    expect(rows.slice(0, closing).reduce((sum, { credits }) => sum + Number(credits), 0)).toBe(832);
  });

  it.each(['2026-13', '2026', '2026-02-01', 'february'])('refuses %s', async (month) => {
    const tenant = await testTenant(database);
    const { status, body } = await platform.call<Problem>(`/v1/billing/statements/${month}`, { key: tenant.apiKey });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { pointer: '/path/month', code: 'wrong_format', detail: 'Must be a month, YYYY-MM.' },
    ]);
  });

  it('has none of a month that has not begun', async () => {
    const tenant = await testTenant(database);
    expect((await statement(tenant, '9999-01')).status).toBe(404);
  });

  it('shows nothing of another tenant', async () => {
    const [tenant, stranger] = await Promise.all([1, 2].map(() => testTenant(database, { credits: 0 })));
    await write(stranger as TestTenant, YEAR);
    const { body } = await statement(tenant as TestTenant, '2026-02');
    expect(body).toMatchObject({ usage: [], opening_balance: { available: 0, held: 0 } });
  });
});
