import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from './running-platform.fixture.ts';

let store: TestDatabase;
let platform: RunningPlatform;
let greedy: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningPlatform(store, { READ_BUDGET_SECONDS: '1' });
  [greedy, other] = [await testTenant(store), await testTenant(store)];
});
afterAll(async () => {
  await platform?.close();
  await store?.drop();
});

/** While the ledger is locked, what reads it takes as long. */
async function lockedFor(ms: number, work: () => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: store.adminUrl });
  await admin.connect();
  await admin.query('begin');
  await admin.query('lock table platform.credit_entry in access exclusive mode');
  const done = work();
  await new Promise((resolve) => setTimeout(resolve, ms));
  await admin.query('commit');
  await admin.end();
  await done;
}

it('a tenant whose reads took the time of the store that they may take waits; its writes and other tenants do not', async () => {
  const ledger = ({ apiKey: key }: TestTenant) => platform.call<Record<string, unknown>>('/v1/billing/ledger', { key });
  expect((await ledger(greedy)).status).toBe(200);
  await lockedFor(700, () => Promise.all([ledger(greedy), ledger(greedy), ledger(greedy)]));
  const refused = await ledger(greedy);
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({
    type: expect.stringMatching(/\/problems\/read-budget-exceeded$/),
    status: 429,
    detail: expect.stringContaining('ask for less'),
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
  const write = { key: greedy.apiKey, body: { dry_run: true } };
  expect((await platform.call('/webhook-deliveries/replays', write)).status).toBe(202);
  expect((await ledger(other)).status).toBe(200);
});
