import { eventually, heldAnswers, testDatabase, type TestDatabase } from '@constancia/testing';
import type { PostgresConnection } from 'bullmq';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresBackend } from './postgres-backend.ts';

let store: TestDatabase;
let backend: PostgresBackend;

beforeAll(async () => {
  store = await testDatabase();
  backend = new PostgresBackend(store.queueUrl, 'lost-connection-test');
});
afterAll(async () => store?.drop());

/** Ends a connection from the server's side while its transaction is open, and no statement is under way. */
async function breakWithin({ pool }: PostgresConnection): Promise<void> {
  const client = (await pool.connect()) as unknown as pg.PoolClient;
  await client.query('begin');
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const ended = new Promise((resolve) => client.on('end', () => resolve(undefined)));
  await store.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await ended;
  await expect(client.query('commit')).rejects.toThrow(/connection|queryable/i);
  client.release(true);
}

// An error event that nobody hears fails the run: it would have ended the process.
describe('a connection that the server ends within a transaction', () => {
  it('costs what was being done, and nothing else, where hints are sent', async () => {
    const producer = await backend.openProducer();
    await breakWithin((producer as unknown as { connection: PostgresConnection }).connection);
    await producer.ping();
    await producer.close();
  });

  it('costs what was being done, and nothing else, where they are worked on', async () => {
    const worker = backend.worker('sealing', async () => undefined, 1);
    await worker.waitUntilReady();
    const { backend: ofWorker } = worker as unknown as { backend: { connection: PostgresConnection } };
    await breakWithin(ofWorker.connection);
    await worker.close();
  });
});

describe('the connection that listens', () => {
  it('is replaced when the server ends it in the same breath as it greets it', async () => {
    const held = await heldAnswers(store.queueUrl);
    const worker = new PostgresBackend(held.url, 'cut-short').worker('sealing', async () => undefined, 1);
    worker.on('error', () => undefined);
    await worker.waitUntilReady();
    const { backend: ofWorker } = worker as unknown as { backend: { connection: PostgresConnection } };
    const { connection } = ofWorker;
    const answers = async () => (await connection.getListenClient()).query('select 1');
    const endAll = () =>
      store.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'queue_app' and datname = current_database()`,
      );
    await answers();
    const { answered, over } = held.hold();
    const lost = new Promise((resolve) => connection.once('listenerinvalidated', resolve));
    await endAll();
    await lost;
    const greeted = connection.getListenClient();
    await answered;
    await endAll();
    await over;
    held.letGo();
    await greeted;
    await eventually(answers);
    await worker.close();
    await held.close();
  });
});
