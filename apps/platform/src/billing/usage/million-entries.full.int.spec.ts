import { operationOf } from '@constancia/contracts';
import { bogotaDay, daysBefore } from '@constancia/kernel';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../../running-platform.fixture.ts';
import { writeEntries } from './many-entries.fixture.ts';
import type { UsageReport } from './show-usage.ts';

const ENTRIES = 1_000_000;
const DAYS = 365;

let database: TestDatabase;
let platform: RunningPlatform;
let tenant: TestTenant;
let period: string;

beforeAll(async () => {
  database = await testDatabase();
  tenant = await testTenant(database, { credits: 0 });
  await writeEntries(database, tenant.id, ENTRIES, DAYS);
  platform = await runningPlatform(database, { RATE_LIMIT_TENANT: '100000', RATE_LIMIT_TENANT_TOTAL: '100000' });
  const today = bogotaDay(new Date());
  period = `from=${daysBefore(today, DAYS)}&to=${today}`;
}, 300_000);
afterAll(async () => {
  await platform?.close();
  await database?.drop();
});

const usage = async (by: 'day' | 'month') => {
  const { body } = await platform.call<UsageReport>(`/v1/billing/usage?${period}&by=${by}`, { key: tenant.apiKey });
  return body.data;
};

describe(`the usage of a year with ${ENTRIES} entries`, () => {
  it.each([
    ['day', 'YYYY-MM-DD', 366 * 4],
    ['month', 'YYYY-MM', 13 * 4],
  ] as const)('is the sum of the entries, by %s', async (by, format, lines) => {
    const entries = await database.query<{ ref_type: string; module: string }>(
      `select to_char(created_at at time zone 'America/Bogota', $2) as period, module, ref_type,
              count(*) filter (where kind <> 'refund')::int as count,
              coalesce(sum(quantity) filter (where kind <> 'refund'), 0)::int as credits,
              coalesce(sum(quantity) filter (where kind = 'refund'), 0)::int as refunded
         from platform.credit_entry where tenant_id = $1 and kind in ('debit', 'capture', 'refund')
        group by 1, 2, 3 order by 1, 2, 3`,
      [tenant.id, format],
    );
    const data = await usage(by);
    expect(data).toEqual(
      entries.map(({ ref_type, ...entry }) => ({ ...entry, operation: operationOf(entry.module, ref_type) })),
    );
    expect(data.length).toBeGreaterThan(lines - 5);
    expect(data.reduce((sum, { count }) => sum + count, 0)).toBe(ENTRIES * 0.8);
    expect(data.reduce((sum, { credits }) => sum + credits, 0)).toBe((ENTRIES / 10) * 296);
    expect(data.reduce((sum, { refunded }) => sum + refunded, 0)).toBe((ENTRIES / 10) * 40);
  });

  it('is answered within 100 ms in 95 of 100 requests, by day and by month', async () => {
    for (const by of ['day', 'month'] as const) {
      const times: number[] = [];
      for (let nth = 0; nth < 105; nth++) {
        const began = performance.now();
        await fetch(`${platform.url}/v1/billing/usage?${period}&by=${by}`, {
          headers: { 'x-api-key': tenant.apiKey },
        }).then((response) => response.json());
        if (nth >= 5) times.push(performance.now() - began);
      }
      expect(times.toSorted((a, b) => a - b)[94]).toBeLessThan(100);
    }
  });

  it('leaves the ledger sound', async () => {
    expect(await database.query('select * from platform.verify_ledger()')).toEqual([]);
  });
});
