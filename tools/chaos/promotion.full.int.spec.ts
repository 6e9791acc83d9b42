import { sleep } from '@constancia/kernel';
import { type Cluster, startCluster } from '@constancia/testing';
import pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { TcpProxy } from './tcp-proxy.ts';

/** One way, between the server and its standby: that of two zones of a region, and more. */
const DISTANCE_MS = 20;
const CLIENTS = 8;
const WRITING_MS = 3_000;

vi.setConfig({ testTimeout: 120_000 });

let cluster: Cluster | undefined;
let wire: TcpProxy | undefined;
afterEach(async () => {
  await cluster?.remove();
  await wire?.close();
});

/** A server with a standby, and a table of numbers. */
async function withStandby(synchronous: boolean): Promise<Cluster> {
  const server = (cluster = await startCluster({ durable: true }));
  await server.addStandby({
    synchronous,
    between: async (url) => {
      wire = await TcpProxy.before(url);
      wire.set({ delayMs: DISTANCE_MS });
      return wire.via(url);
    },
  });
  await connected(server, (client) => client.query('create table written (number int primary key)'));
  return server;
}

/** Clients that write numbers, each after the other, until the server is gone and its standby has its place. */
async function underLoad(synchronous: boolean): Promise<{ acknowledged: number[]; kept: Set<number> }> {
  const server = await withStandby(synchronous);
  const acknowledged: number[] = [];
  let next = 0;
  const clients = Array.from({ length: CLIENTS }, async () => {
    const client = new pg.Client({ connectionString: server.adminUrl });
    client.on('error', () => undefined);
    await client.connect();
    for (;;) {
      const number = next++;
      const answer = await client.query('insert into written values ($1)', [number]).catch(() => undefined);
      if (!answer) return;
      acknowledged.push(number);
    }
  });
  await sleep(WRITING_MS);
  wire?.set('cut'); // what a machine that is gone had not sent is gone, too
  await server.failOver();
  await Promise.all(clients);
  const { rows } = await connected(server, (client) => client.query<{ number: number }>('select number from written'));
  await connected(server, (client) => client.query('insert into written values (-1)')); // it takes writes
  return { acknowledged, kept: new Set(rows.map(({ number }) => number)) };
}

async function connected<T>({ adminUrl }: Cluster, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

it('a promoted standby has every acknowledged commit with synchronous replication', async () => {
  const { acknowledged, kept } = await underLoad(true);
  const missing = acknowledged.filter((number) => !kept.has(number));
  console.log(`synchronous: ${acknowledged.length} acknowledged, ${missing.length} missing after promotion`);
  expect(acknowledged.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

it('and lacks the last ones with asynchronous replication: how many is counted', async () => {
  const { acknowledged, kept } = await underLoad(false);
  const missing = acknowledged.filter((number) => !kept.has(number));
  console.log(`asynchronous: ${acknowledged.length} acknowledged, ${missing.length} missing after promotion`);
  expect(acknowledged.length).toBeGreaterThan(100);
  expect(missing.length + acknowledged.filter((number) => kept.has(number)).length).toBe(acknowledged.length);
});

it('a commit that the standby does not have is not acknowledged because of a limit of time', async () => {
  const server = await withStandby(true);
  await connected(server, async (client) => {
    client.on('error', () => undefined);
    await client.query(`set statement_timeout = 500`);
    wire?.set('mute');
    let answered = false;
    const commit = client.query('insert into written values (1)').finally(() => (answered = true));
    await sleep(2_000);
    expect(answered).toBe(false);
    wire?.heal(); // the standby connects again, and has it
    await commit;
    await expect(client.query('select pg_sleep(1)')).rejects.toThrow(/statement timeout/);
  });
});
