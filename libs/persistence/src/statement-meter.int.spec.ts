import { uuidv7 } from '@constancia/kernel';
import { testDatabase, type TestDatabase } from '@constancia/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Database } from './database.ts';
import { DatabaseUnavailableError } from './errors.ts';
import { metered, type StatementMeter } from './statement-meter.ts';

let store: TestDatabase;
let database: Database;

beforeAll(async () => {
  store = await testDatabase();
  database = await Database.connect({ url: store.app('compliance'), applicationName: 'test' });
});
afterAll(async () => {
  await database?.close();
  await store?.drop();
});

const tenant = uuidv7();
const slept = (seconds: number) => database.tenant(tenant, (tx) => tx.query('select pg_sleep($1)', [seconds]));

function meter(statementTimeoutMs = 20_000, refusal?: Error): StatementMeter & { ms: number; open: number } {
  return {
    ms: 0,
    open: 0,
    add(ms) {
      this.ms += ms;
    },
    begin() {
      if (refusal) throw refusal;
      this.open += 1;
      return { statementTimeoutMs, end: () => void (this.open -= 1) };
    },
  };
}

it('learns how long the statements of its work take, and of nothing else', async () => {
  const reads = meter();
  await Promise.all([
    metered(reads, () => Promise.all([slept(0.2), database.query('select pg_sleep(0.1)')])),
    slept(0.5),
  ]);
  expect(reads.ms).toBeGreaterThanOrEqual(300);
  expect(reads.ms).toBeLessThan(600);
  expect(reads.open).toBe(0);
});

it('ends a statement that takes longer than it may, and the next transaction has the time of all', async () => {
  const hasty = meter(100);
  await expect(metered(hasty, () => slept(5))).rejects.toMatchObject({ reason: 'too_slow' });
  await expect(metered(hasty, () => slept(5))).rejects.toBeInstanceOf(DatabaseUnavailableError);
  expect(hasty.open).toBe(0);
  await Promise.all(Array.from({ length: 10 }, () => slept(0.3))); // on the same connections
});

it('refuses work as a tenant, and leaves the connection to others', async () => {
  const refusal = new Error('enough');
  const spent = meter(100, refusal);
  await Promise.all(Array.from({ length: 20 }, () => expect(metered(spent, () => slept(0))).rejects.toBe(refusal)));
  await slept(0);
  expect(spent.open).toBe(0);
});
