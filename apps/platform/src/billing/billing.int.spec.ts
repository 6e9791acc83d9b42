import { LedgerReader } from '@constancia/credit-ledger';
import { typeId, uuidOf, uuidv7 } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { createLogger } from '@constancia/telemetry';
import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';
import { StaleHolds } from './reap-stale-holds.ts';

interface Entry {
  id: string;
  seq: number;
  kind: string;
  amount: number;
  balance_after: number;
  ref_type: string;
  ref_id: string;
  created_at: string;
}

interface LedgerPage {
  data: Entry[];
  next_cursor: string | null;
}

let database: TestDatabase;
let platform: RunningPlatform;

beforeAll(async () => {
  database = await testDatabase();
  platform = await runningPlatform(database);
});

afterAll(async () => {
  await platform?.close();
  await database?.drop();
});

/** Debits 40 for a new signature; answers the signature's uuid. */
async function debit(tenant: TestTenant): Promise<string> {
  const id = uuidv7();
  await database.query(`select platform_v1.charge($1, 'seal', 'signature', $2, 40)`, [tenant.id, id]);
  return id;
}

const ledger = (tenant: TestTenant, query = '') =>
  platform.call<LedgerPage>(`/v1/billing/ledger${query}`, { key: tenant.apiKey });

async function everyEntry(
  tenant: TestTenant,
  limit: number,
  between: () => Promise<unknown> = async () => {},
): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | null = null;
  do {
    const { status, body }: { status: number; body: LedgerPage } = await ledger(
      tenant,
      `?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`,
    );
    expect(status).toBe(200);
    expect(body.data.length).toBeLessThanOrEqual(limit);
    entries.push(...body.data);
    cursor = body.next_cursor;
    await between();
  } while (cursor !== null);
  return entries;
}

describe('GET /v1/billing/balance', () => {
  it('shows what can be spent and what is held', async () => {
    const tenant = await testTenant(database);
    await debit(tenant);
    await database.query(`select platform_v1.hold($1, 'identity', 'flow_session', $2, 80, 600)`, [tenant.id, uuidv7()]);

    const { status, body } = await platform.call('/v1/billing/balance', { key: tenant.apiKey });
    expect(status).toBe(200);
    expect(body).toEqual({ available: 880, held: 80 });
  });

  it('needs a key', async () => {
    const { status, body } = await platform.call('/v1/billing/balance');
    expect(status).toBe(401);
    expect(body).toMatchObject({ type: 'http://platform.test/problems/invalid-api-key' });
  });
});

/** Entries one hour apart, the last one so many hours from now. */
async function hourlyDebits(tenant: TestTenant, count: number): Promise<void> {
  await database.query(
    `insert into platform.credit_entry (tenant_id, seq, kind, amount, quantity, balance_after, debit_account, credit_account, module,
                                        ref_type, ref_id, created_at)
     select $1, n, 'debit', -1, 1, 1000000 - n, 'a', 'b', 'seal', 'signature', gen_random_uuid(), now() + make_interval(hours => n)
       from generate_series(2, $2) n`,
    [tenant.id, count],
  );
  await database.query('analyze platform.credit_entry');
}

/** Rows of each node of the plan of a page, those that are left out included. */
async function rowsRead(store: Database, tenant: TestTenant, page: { limit: number; from: Date; to: Date }) {
  const plan = await store.tenant(tenant.id, async (tx) => {
    const query = (sql: string, params: unknown[]) => tx.query(`explain (analyze, format json) ${sql}`, params);
    return JSON.stringify(await new LedgerReader(store).statementIn({ query } as unknown as Tx, tenant.id, page));
  });
  return [...plan.matchAll(/"(?:Actual Rows|Rows Removed by Filter)":(\d+)/g)].map(([, rows]) => Number(rows));
}

describe('GET /v1/billing/ledger', () => {
  it('lists the entries, newest first, with the balance after each', async () => {
    const tenant = await testTenant(database);
    const signature = await debit(tenant);
    const { body } = await ledger(tenant);

    expect(body.next_cursor).toBeNull();
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^led_[0-7][0-9a-hjkmnp-tv-z]{25}$/) as string,
        seq: 2,
        kind: 'debit',
        amount: -40,
        balance_after: 960,
        ref_type: 'signature',
        ref_id: typeId('sig', signature),
        created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/) as string,
      },
      expect.objectContaining({ seq: 1, kind: 'grant', amount: 1000, balance_after: 1000, ref_id: tenant.id }),
    ]);
    expect(uuidOf('led', body.data[0]?.id ?? '')).not.toBeNull();
  });

  it('pages without a gap or a repetition while entries are added', async () => {
    const tenant = await testTenant(database);
    for (let i = 0; i < 9; i++) await debit(tenant);

    const entries = await everyEntry(tenant, 3, () => debit(tenant));
    expect(entries.map(({ seq }) => seq)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(entries[0]?.balance_after);
  });

  it('has twenty entries on a page by default, and no cursor after the last full page', async () => {
    const tenant = await testTenant(database);
    for (let i = 0; i < 20; i++) await debit(tenant);
    const { body } = await ledger(tenant);
    expect(body.data).toHaveLength(20);
    expect(body.next_cursor).not.toBeNull();
    expect((await ledger(tenant, '?limit=21')).body.next_cursor).toBeNull();
  });

  it('is bounded by from (inclusive) and to (exclusive; a date includes its day)', async () => {
    const tenant = await testTenant(database);
    await debit(tenant);
    const { body: all } = await ledger(tenant);
    const [newest, oldest] = all.data as [Entry, Entry];
    // created_at has microseconds in the store: go by whole milliseconds around it.
    const after = new Date(Date.parse(newest.created_at) + 1).toISOString();

    const seqs = async (query: string) => (await ledger(tenant, query)).body.data.map(({ seq }) => seq);
    expect(await seqs(`?from=${oldest.created_at}`)).toEqual([2, 1]);
    expect(await seqs(`?from=${after}`)).toEqual([]);
    expect(await seqs(`?to=${oldest.created_at}`)).toEqual([]);
    expect(await seqs(`?to=${after}`)).toEqual([2, 1]);
    const day = newest.created_at.slice(0, 10);
    expect(await seqs(`?from=${day}&to=${day}`)).toEqual([2, 1]);
    expect(await seqs('?to=2020-01-01')).toEqual([]);
  });

  it('of a time long ago reads no entry of another time', async () => {
    const tenant = await testTenant(database);
    await hourlyDebits(tenant, 20_000);
    const [bounds] = await database.query<{ from: Date; to: Date }>(
      `select min(created_at) as from, max(created_at) as to from platform.credit_entry where tenant_id = $1 and seq between 101 and 150`,
      [tenant.id],
    );
    const { from, to } = bounds as { from: Date; to: Date };
    const page = { limit: 101, from, to: new Date(to.getTime() + 1) };
    const store = await Database.connect({ url: database.app('platform'), applicationName: 'test', poolSize: 1 });
    const reader = new LedgerReader(store);
    const seqs = (await reader.statement(tenant.id, page)).entries.map(({ seq }) => Number(seq));
    expect(seqs).toEqual(Array.from({ length: 50 }, (_, nth) => 150 - nth));
    expect(Math.max(...(await rowsRead(store, tenant, page)))).toBeLessThan(60);
    await store.close();
  });

  it('of a long period reads little more than the page', async () => {
    const tenant = await testTenant(database);
    await hourlyDebits(tenant, 20_000);
    const from = new Date(Date.now() + 5_000 * 3_600_000);
    const page = { limit: 21, from, to: new Date(from.getTime() + 10_000 * 3_600_000) };
    const store = await Database.connect({ url: database.app('platform'), applicationName: 'test', poolSize: 1 });
    const reader = new LedgerReader(store);
    expect((await reader.statement(tenant.id, page)).entries).toHaveLength(21);
    expect(Math.max(...(await rowsRead(store, tenant, page)))).toBeLessThan(60);
    await store.close();
  });

  it.each([
    ['?limit=0', '/query/limit'],
    ['?limit=101', '/query/limit'],
    ['?limit=ten', '/query/limit'],
    ['?cursor=@@', '/query/cursor'],
    ['?cursor=abcd', '/query/cursor'],
    [`?cursor=${Buffer.from('["x"]').toString('base64url')}`, '/query/cursor'],
    ['?from=yesterday', '/query/from'],
    ['?to=2026-02-31', '/query/to'],
    ['?kind=debit', '/query/kind'],
  ])('refuses %s', async (query, pointer) => {
    const tenant = await testTenant(database);
    const { status, body } = await platform.call<{ errors: { pointer: string }[] }>(`/v1/billing/ledger${query}`, {
      key: tenant.apiKey,
    });
    expect(status).toBe(400);
    expect(body.errors.map((error) => error.pointer)).toContain(pointer);
  });

  it('shows nothing of another tenant, even with that tenant’s cursor', async () => {
    const [tenant, stranger] = await Promise.all([testTenant(database), testTenant(database)]);
    for (let i = 0; i < 5; i++) await debit(stranger);
    const { body } = await ledger(stranger, '?limit=2');
    const mine = await ledger(tenant, `?cursor=${body.next_cursor}`);
    expect(mine.body.data.map(({ ref_id }) => ref_id)).toEqual([tenant.id]);
  });
});

describe('a hold that nobody settles', () => {
  it('is given back by the platform process, once', async () => {
    const tenant = await testTenant(database);
    await database.query(`select platform_v1.hold($1, 'identity', 'flow_session', $2, 80, -1)`, [tenant.id, uuidv7()]);
    const store = await Database.connect({ url: database.app('platform'), applicationName: 'test' });
    try {
      const logger = createLogger({ app: 'test', level: 'silent' });
      const reapers = [1, 2].map(() => new StaleHolds(new LedgerReader(store), logger));
      await Promise.all(reapers.map((reaper) => reaper.run()));
    } finally {
      await store.close();
    }

    expect((await platform.call('/v1/billing/balance', { key: tenant.apiKey })).body).toEqual({
      available: 1000,
      held: 0,
    });
    const { body } = await ledger(tenant);
    expect(body.data.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['release', 80],
      ['hold', -80],
      ['grant', 1000],
    ]);
  });
});
