import { SecretBox } from '@constancia/kernel';
import { eventually, testDatabase, type TestDatabase } from '@constancia/testing';
import { runMigrations } from 'bullmq';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrateQueue, Queues } from './index.ts';
import { dispatcherProcessors, processing } from './processing.fixture.ts';

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
let store: TestDatabase;

/** Beside ours there are BullMQ's tables in its default schema, first in the search path: whatever ignores our setting uses them. */
beforeAll(async () => {
  store = await testDatabase();
  const admin = new pg.Client({ connectionString: store.adminUrl });
  await admin.connect();
  await runMigrations(admin, 'bullmq');
  await admin.end();
  await store.query(`
    grant usage on schema bullmq to queue_app;
    grant all on all tables in schema bullmq to queue_app;
    grant all on all sequences in schema bullmq to queue_app;
    drop schema queue cascade;
    create schema queue authorization queue_app;
    do $$ begin execute format('alter role queue_app in database %I set search_path = bullmq', current_database()); end $$`);
});
afterAll(() => store?.drop());

async function rowsIn(schema: string): Promise<number> {
  const sql = 'select quote_ident(table_name) as name from information_schema.tables where table_schema = $1';
  const tables = await store.query<{ name: string }>(sql, [schema]);
  const counts = await Promise.all(
    tables.map(({ name }) => store.query<{ rows: number }>(`select count(*)::int as rows from ${schema}.${name}`)),
  );
  return counts.flat().reduce((sum, { rows }) => sum + rows, 0);
}

it('the schema of the queues is honoured by the migration, by hints, schedules and consumers, whatever the search path says', async () => {
  const others = await rowsIn('bullmq');
  await migrateQueue(store.queueUrl);
  const empty = await rowsIn('queue');
  expect(empty).toBeGreaterThan(0);

  const sealingKey = new SecretBox([Buffer.alloc(32, 1)]);
  const queues = new Queues({ app: 'webhook-dispatcher', databaseUrl: store.queueUrl, sealingKey, logger });
  const seen: string[] = [];
  const app = await processing(
    queues,
    ...dispatcherProcessors(1, async ({ endpoint_id }) => void seen.push(endpoint_id)),
  );
  let sweeps = 0;
  queues.every('webhook-delivery', 200, async () => void sweeps++);
  queues.hint('webhook-delivery', { v: 1, endpoint_id: 'hinted' }, 'hinted');
  queues.hint('sealing', { v: 1, request_id: 'waits' }, 'waits'); // nobody consumes it here
  await eventually(() => expect(seen).toEqual(['hinted']), 10_000);
  await eventually(() => expect(sweeps).toBeGreaterThan(1), 10_000);
  expect((await queues.depth('sealing')).waiting).toBe(1);
  expect(await rowsIn('queue')).toBeGreaterThan(empty);
  expect(await rowsIn('bullmq')).toBe(others);
  expect(queues.lostHints).toBe(0);
  await app.close();
});
