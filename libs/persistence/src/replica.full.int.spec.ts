import net, { type AddressInfo } from 'node:net';
import { sleep, uuidv7 } from '@constancia/kernel';
import {
  type Cluster,
  eventually,
  prepareDatabase,
  type Standby,
  startCluster,
  TEST_PASSWORD,
} from '@constancia/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Database } from './database.ts';
import { DatabaseUnavailableError } from './errors.ts';
import { MAX_STALENESS_SECONDS, mayBeStale, type ModuleSchema, tenantTable, type Tx, urlFor } from './index.ts';

class Notes1700000000001 {
  async up(runner: { query(sql: string): Promise<unknown> }) {
    await runner.query(`
      create table compliance.note (id uuid primary key, tenant_id uuid not null, body text not null);
      ${tenantTable('compliance', 'note', ['select', 'insert', 'update', 'delete'])}
    `);
  }
  async down() {}
}
const NOTES: ModuleSchema = { schema: 'compliance', migrations: [Notes1700000000001] };

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let cluster: Cluster;
let standby: Standby;
let database: Database;

beforeAll(async () => {
  cluster = await startCluster();
  await prepareDatabase(cluster.adminUrl, [NOTES], () => Promise.resolve());
  await cluster.addStandby({ synchronous: false });
  standby = cluster.standby as Standby;
  database = await withReplica(urlOf(standby.url));
});
afterAll(async () => {
  await database?.close();
  await cluster?.remove();
});
beforeEach(() => eventually(async () => expect((await list(uuidv7())).from).toBe('replica'), 20_000));

const urlOf = (serverUrl: string) => urlFor(serverUrl, 'compliance_app', TEST_PASSWORD);

function withReplica(replicaUrl: string): Promise<Database> {
  return Database.connect({ url: urlOf(cluster.adminUrl), replicaUrl, applicationName: 'test', poolSize: 4 });
}

async function asked(serverUrl: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  for (const sql of statements) await client.query(sql);
  await client.end();
}

/** Runs `work` as a read that may be stale; answers what it saw, where it came from, and how old that was. */
async function stale<T>(tenant: string, work: (tx: Tx) => Promise<T>, from = database) {
  const seen: { results: string[]; ages: number[]; errors: unknown[] } = { results: [], ages: [], errors: [] };
  const follow = {
    began: (ageMs: number) => void (seen.results.push('replica'), seen.ages.push(ageMs)),
    fellBack: (reason: string, error?: unknown) => void (seen.results.push(reason), seen.errors.push(error)),
  };
  const value = await mayBeStale(follow, () => from.snapshot(tenant, work));
  return { ...seen, value };
}

const LIST = 'select body, pg_is_in_recovery() as standby from compliance.note order by body';
const rows = (tx: Tx) => tx.query<{ body: string; standby: boolean }>(LIST);

/** All notes that a tenant sees, and which server the statement ran on. */
async function list(tenant: string, from = database) {
  const { value, results, ages } = await stale(
    tenant,
    async (tx) => ({
      bodies: (await rows(tx)).map(({ body }) => body),
      standby: (await tx.query<{ is: boolean }>('select pg_is_in_recovery() as is'))[0]?.is,
    }),
    from,
  );
  expect(results.at(-1) === 'replica').toBe(value.standby);
  return { bodies: value.bodies, from: results.at(-1), ageMs: ages.at(-1) ?? 0 };
}

const write = (tenant: string, body: string) =>
  database.tenant(tenant, (tx) =>
    tx.query('insert into compliance.note values ($1, $2, $3)', [uuidv7(), tenant, body]),
  );

describe('a read that may be stale', () => {
  it('comes from the standby, and shows a tenant its own rows alone, without any WHERE clause', async () => {
    const [a, b] = [uuidv7(), uuidv7()];
    await write(a, 'of a');
    await write(b, 'of b');
    await eventually(async () => {
      expect(await list(a)).toMatchObject({ bodies: ['of a'], from: 'replica' });
      expect(await list(b)).toMatchObject({ bodies: ['of b'], from: 'replica' });
    });
    expect((await list(uuidv7())).bodies).toEqual([]);
    const others = await stale(a, (tx) => tx.query('select 1 from compliance.note where tenant_id = $1', [b]));
    expect(others).toMatchObject({ value: [], results: ['replica'] });
  });

  it('is the only thing that does', async () => {
    const recovering = async (work: () => Promise<{ is: boolean }[]>) => (await work())[0]?.is;
    const sql = 'select pg_is_in_recovery() as is';
    const ask = (tx: Tx) => tx.query<{ is: boolean }>(sql);
    const tenant = uuidv7();
    const follow = { began: vi.fn(), fellBack: vi.fn() };
    expect(await recovering(() => database.snapshot(tenant, ask))).toBe(false);
    expect(await recovering(() => mayBeStale(follow, () => database.tenant(tenant, ask)))).toBe(false);
    expect(await recovering(() => mayBeStale(follow, () => database.transaction(ask)))).toBe(false);
    expect(await recovering(() => mayBeStale(follow, () => database.query<{ is: boolean }>(sql)))).toBe(false);
    expect(await recovering(() => mayBeStale(follow, () => database.prepared<{ is: boolean }>('is', sql, [])))).toBe(
      false,
    );
    expect(follow.began).not.toHaveBeenCalled();
  });

  it('writes nothing, there or on the primary', async () => {
    const tenant = uuidv7();
    const insert = (tx: Tx) => tx.query('insert into compliance.note values ($1, $2, $3)', [uuidv7(), tenant, 'no']);
    await expect(stale(tenant, insert)).rejects.toThrow(DatabaseUnavailableError);
    expect(await database.tenant(tenant, rows)).toEqual([]);
  });

  it('has the limits of the role, and less where it may take less', async () => {
    const { value } = await stale(uuidv7(), (tx) =>
      tx.query<{ setting: string }>(
        `select setting from pg_settings where name in ('statement_timeout', 'lock_timeout')`,
      ),
    );
    expect(value.map(({ setting }) => setting).sort()).toEqual(['10000', '20000']);
  });

  it('throws what its work throws, once', async () => {
    const work = vi.fn(() => Promise.reject(new Error('not found')));
    await expect(stale(uuidv7(), work)).rejects.toThrow('not found');
    expect(work).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['another server', () => asked('postgres://nobody@127.0.0.1:1/nothing'), { code: 'ECONNREFUSED' }],
    ['the primary', () => Promise.reject(new DatabaseUnavailableError()), new DatabaseUnavailableError()],
  ])('that asks %s as well, which cannot be reached, says nothing of the replica', async (_, askOther, error) => {
    const tenant = uuidv7();
    const results: string[] = [];
    const follow = {
      began: () => void results.push('replica'),
      fellBack: (reason: string) => void results.push(reason),
    };
    const work = vi.fn((tx: Tx) => rows(tx).then(askOther));
    await expect(mayBeStale(follow, () => database.snapshot(tenant, work))).rejects.toMatchObject(error);
    expect(work).toHaveBeenCalledTimes(1);
    expect(results).toEqual(['replica']);
    expect((await list(tenant)).from).toBe('replica');
  });
});

describe('how old it is', () => {
  it('a primary that commits nothing leaves no standby behind', async () => {
    await sleep((MAX_STALENESS_SECONDS + 2) * 1_000);
    const { from, ageMs } = await list(uuidv7());
    expect(from).toBe('replica');
    expect(ageMs).toBeLessThan(2_000);
  });

  it('a standby that lags is read, and says how much, until it lags more than allowed', async () => {
    const tenant = uuidv7();
    await write(tenant, 'before');
    await eventually(async () => expect((await list(tenant)).bodies).toEqual(['before']));
    await asked(standby.url, 'select pg_wal_replay_pause()');
    onTestFinished(() => asked(standby.url, 'select pg_wal_replay_resume()'));
    await sleep(1_500);
    await write(tenant, 'later');
    const wroteAt = performance.now();
    await sleep(3_000);
    const late = await list(tenant);
    expect(late).toMatchObject({ bodies: ['before'], from: 'replica' });
    expect(late.ageMs).toBeGreaterThanOrEqual(performance.now() - wroteAt - 100);
    expect(late.ageMs).toBeLessThan(6_000);
    await sleep(MAX_STALENESS_SECONDS * 1_000 - (performance.now() - wroteAt) + 200);
    expect(await list(tenant)).toMatchObject({ bodies: ['before', 'later'], from: 'behind' });
    await asked(standby.url, 'select pg_wal_replay_resume()');
    await eventually(async () =>
      expect(await list(tenant)).toMatchObject({ bodies: ['before', 'later'], from: 'replica' }),
    );
  });

  it('a server that is no standby is not read, whatever it has', async () => {
    const other = await withReplica(urlOf(cluster.adminUrl));
    onTestFinished(() => other.close());
    await sleep(1_500);
    expect((await list(uuidv7(), other)).from).toBe('behind');
  });
});

describe('the primary is read instead', () => {
  it.each([
    ['a statement', 'conflict', false],
    ['an idle connection', 'failed', true],
  ])('when the standby ends %s for what it has to replay', async (_, result, isIdle) => {
    const tenant = uuidv7();
    await write(tenant, 'one');
    await eventually(async () => expect((await list(tenant)).bodies).toEqual(['one']));
    await asked(standby.url, `alter system set max_standby_streaming_delay = '0'`, 'select pg_reload_conf()');
    onTestFinished(() =>
      asked(standby.url, 'alter system reset max_standby_streaming_delay', 'select pg_reload_conf()'),
    );
    const servers: boolean[] = [];
    const read = stale(tenant, async (tx) => {
      servers.push(...(await rows(tx)).map(({ standby }) => standby));
      if (servers.length === 1) {
        const remove = () => asked(cluster.adminUrl, 'delete from compliance.note', 'vacuum compliance.note');
        if (isIdle) await remove().then(() => sleep(1_000));
        else
          await Promise.all([tx.query('select pg_sleep(0.05) from generate_series(1, 200)'), sleep(200).then(remove)]); // ends with what is replayed
      }
      return rows(tx);
    });
    expect(await read).toMatchObject({ value: [], results: ['replica', result] });
    expect(servers).toEqual([true]);
  });

  it('when a statement fails there, which it does not on the primary', async () => {
    const { value, results } = await stale(uuidv7(), (tx) => tx.query('select pg_current_wal_lsn() is null as none'));
    expect(value).toEqual([{ none: false }]);
    expect(results).toEqual(['replica', 'failed']);
  });

  it('but not again when a statement takes too long', async () => {
    const slow = stale(uuidv7(), async (tx) => {
      await tx.query(`select set_config('statement_timeout', '100', true)`);
      await tx.query('select pg_sleep(5)');
    });
    await expect(slow).rejects.toMatchObject({ reason: 'too_slow' });
  });

  it('while the standby is down: no read fails, and it is read again when it is back', async () => {
    const tenant = uuidv7();
    await write(tenant, 'kept');
    await eventually(async () => expect((await list(tenant)).bodies).toEqual(['kept']));
    let stopping = true;
    const clients = Array.from({ length: 4 }, async () => {
      const reads = [];
      while (stopping) reads.push(await list(tenant));
      return reads;
    });
    await sleep(300);
    await standby.stop();
    await sleep(1_000);
    stopping = false;
    const reads = (await Promise.all(clients)).flat();
    expect(new Set(reads.map(({ bodies }) => bodies.join()))).toEqual(new Set(['kept']));
    const places = new Set(reads.map(({ from }) => from));
    places.delete('failed'); // what was under way, if anything was
    expect(places).toEqual(new Set(['replica', 'unavailable']));
    const first = await stale(tenant, rows);
    expect(first.results).toEqual(['unavailable']);
    await standby.start();
    await eventually(async () => expect((await list(tenant)).from).toBe('replica'), 20_000);
  });

  it('within little more than a second when the replica answers nothing, and at once after that', async () => {
    const silent = net.createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = new URL(urlOf(standby.url));
    url.port = String((silent.address() as AddressInfo).port);
    const other = await withReplica(url.href);
    onTestFinished(async () => {
      await other.close();
      silent.close();
    });
    const timed = async () => {
      const began = performance.now();
      expect((await list(uuidv7(), other)).from).toBe('unavailable');
      return performance.now() - began;
    };
    expect(await timed()).toBeLessThan(2_500);
    expect(await timed()).toBeLessThan(500);
  });
});
