import net, { type AddressInfo } from 'node:net';
import { uuidv7 } from '@constancia/kernel';
import {
  eventually,
  heldAnswers,
  prepareDatabase,
  startCluster,
  testDatabase,
  TEST_PASSWORD,
  type TestDatabase,
} from '@constancia/testing';
import type { EntityManager } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from './database.ts';
import { DatabaseUnavailableError, isUniqueViolation, sqlState } from './errors.ts';
import { migrate, requireMigrated } from './migrate.ts';
import { type ModuleSchema, tenantTable, urlFor } from './index.ts';

class Notes1700000000001 {
  async up(runner: { query(sql: string): Promise<unknown> }) {
    await runner.query(`
      create table compliance.note (id uuid primary key, tenant_id uuid not null, body text not null unique);
      ${tenantTable('compliance', 'note', ['select', 'insert', 'update', 'delete'])}
    `);
  }
  async down() {}
}
const NOTES: ModuleSchema = { schema: 'compliance', migrations: [Notes1700000000001] };

let store: TestDatabase;
let database: Database;

beforeAll(async () => {
  store = await testDatabase();
  await migrate(store.owner('compliance'), NOTES);
  database = await Database.connect({ url: store.app('compliance'), applicationName: 'test', poolSize: 4 });
});
afterAll(async () => {
  await database.close();
  await store.drop();
});

const write = (tenant: string, body: string) =>
  database.tenant(tenant, (tx) =>
    tx.query('insert into compliance.note values ($1, $2, $3)', [uuidv7(), tenant, body]),
  );
const read = (tenant: string) =>
  database.tenant(tenant, (tx) => tx.query<{ body: string }>('select body from compliance.note'));

describe('the tenant transaction', () => {
  it("shows a tenant its own rows and no other tenant's, without any WHERE clause", async () => {
    const [a, b] = [uuidv7(), uuidv7()];
    await write(a, `of a ${a}`);
    await write(b, `of b ${b}`);
    expect(await read(a)).toEqual([{ body: `of a ${a}` }]);
    expect(await read(b)).toEqual([{ body: `of b ${b}` }]);
    expect(await database.query('select * from compliance.note')).toEqual([]);
  });

  it('refuses to write a row of another tenant', async () => {
    const [a, b] = [uuidv7(), uuidv7()];
    const error = await database
      .tenant(a, (tx) => tx.query('insert into compliance.note values ($1, $2, $3)', [uuidv7(), b, 'x']))
      .catch((caught: unknown) => caught);
    expect(sqlState(error)).toBe('42501');
  });

  it('leaves no tenant behind on the pooled connection, also after errors', async () => {
    const a = uuidv7();
    await write(a, `left ${a}`);
    await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        database.tenant(a, async (tx) => {
          await tx.query('select * from compliance.note');
          if (i % 2 === 0) throw new Error('no');
        }),
      ),
    );
    const rows = await Promise.all(Array.from({ length: 10 }, () => database.query('select * from compliance.note')));
    expect(rows.flat()).toEqual([]);
  });

  it('keeps nothing of a unit of work that throws', async () => {
    const a = uuidv7();
    await expect(
      database.tenant(a, async (tx) => {
        await tx.query('insert into compliance.note values ($1, $2, $3)', [uuidv7(), a, 'gone']);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await read(a)).toEqual([]);
  });

  it('never says that it is done when a failed statement was passed over', async () => {
    const a = uuidv7();
    const done = database.tenant(a, async (tx) => {
      await tx.query('insert into compliance.note values ($1, $2, $3)', [uuidv7(), a, 'lost']);
      await tx.query('select 1/0').catch(() => undefined);
    });
    await expect(done).rejects.toThrow('rolled back');
    expect(await read(a)).toEqual([]);
  });

  it('names the constraint that was broken', async () => {
    const a = uuidv7();
    await write(a, `twice ${a}`);
    const error = await write(a, `twice ${a}`).catch((caught: unknown) => caught);
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'note_body_key')).toBe(true);
    expect(isUniqueViolation(error, 'other')).toBe(false);
  });

  it('runs a deadlocked unit of work again', async () => {
    const a = uuidv7();
    await write(a, `d1 ${a}`);
    await write(a, `d2 ${a}`);
    let [runs, holding] = [0, 0];
    let release = (): void => undefined;
    const bothHold = new Promise<void>((resolve) => (release = resolve));
    let end = (): void => undefined;
    const oneEnded = new Promise<void>((resolve) => (end = resolve));
    const cross = (first: string, second: string) =>
      database.tenant(a, async (tx) => {
        runs += 1;
        if (runs > 2) await oneEnded; // or it takes the row, which is free now, before the one that waits for it
        await tx.query(`update compliance.note set body = body where body = $1`, [`${first} ${a}`]);
        holding += 1;
        if (holding === 2) release();
        await bothHold;
        await tx.query(`update compliance.note set body = body where body = $1`, [`${second} ${a}`]);
      });
    await Promise.all([cross('d1', 'd2').then(end), cross('d2', 'd1').then(end)]);
    expect(runs).toBe(3);
  });
});

describe('roles', () => {
  it("cannot read another module's tables", async () => {
    for (const table of ['platform.tenant', 'platform.credit_account', 'signing.signature_request']) {
      const error = await database.query(`select * from ${table}`).catch((caught: unknown) => caught);
      expect(sqlState(error), table).toBe('42501');
    }
  });

  it('have no foreign key across schemas', async () => {
    const crossing = await store.query(
      `select conname from pg_constraint c join pg_class a on a.oid = c.conrelid join pg_class b on b.oid = c.confrelid
        where c.contype = 'f' and a.relnamespace <> b.relnamespace`,
    );
    expect(crossing).toEqual([]);
  });

  it('force row-level security on every table with a tenant', async () => {
    const open = await store.query(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
         join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
        where n.nspname in ('platform', 'identity', 'compliance', 'signing') and c.relkind in ('r', 'p') and not c.relispartition
          and not (c.relrowsecurity and c.relforcerowsecurity)`,
    );
    expect(open).toEqual([]);
  });

  it('leave no SECURITY DEFINER function open to everyone and none without a search path', async () => {
    const open = await store.query<{ name: string }>(
      `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where p.prosecdef and n.nspname in ('platform', 'platform_v1', 'compliance', 'signing')
          and (coalesce(array_to_string(p.proconfig, ','), '') not like '%search_path=%'
               or has_function_privilege('queue_app', p.oid, 'execute'))`,
    );
    expect(open).toEqual([]);
  });
});

describe('migrations', () => {
  it('run once when two processes migrate at the same time', async () => {
    const fresh = await testDatabase();
    const applied = await Promise.all([1, 2, 3].map(() => migrate(fresh.owner('compliance'), NOTES)));
    expect(applied.flat()).toEqual(['Notes1700000000001']);
    await fresh.drop();
  });

  it('are required by the processes', async () => {
    class Later1800000000000 {}
    const query = (sql: string) => database.query<{ name: string }>(sql);
    await expect(requireMigrated(query, NOTES)).resolves.toBeUndefined();
    await expect(
      requireMigrated(query, { schema: 'compliance', migrations: [Notes1700000000001, Later1800000000000] }),
    ).rejects.toThrow('Later1800000000000');
  });

  it('prepare a database again without harm', async () => {
    const tenant = uuidv7();
    await write(tenant, `kept ${tenant}`);
    await prepareDatabase(store.adminUrl, [NOTES], async () => undefined);
    expect(await read(tenant)).toEqual([{ body: `kept ${tenant}` }]);
  });
});

describe('an outage', () => {
  it('is DatabaseUnavailable while it lasts and over without a restart', async () => {
    const cluster = await startCluster();
    const handle = await Database.connect({ url: cluster.adminUrl, applicationName: 'outage', poolSize: 3 });
    const heard: string[] = [];
    await handle.listen('outage_test', (payload) => heard.push(payload));
    await handle.ping();
    await cluster.stop();
    const started = Date.now();
    await expect(handle.ping()).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect(handle.transaction(async (tx) => tx.query('select 1'))).rejects.toBeInstanceOf(
      DatabaseUnavailableError,
    );
    expect(Date.now() - started).toBeLessThan(5_000);
    await cluster.start();
    await eventually(() => handle.ping());
    await eventually(async () => {
      await handle.query(`select pg_notify('outage_test', 'back')`);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(heard).toContain('back');
    });
    await handle.close();
    await cluster.remove();
  });

  it('at start does not keep the process from starting', async () => {
    const cluster = await startCluster();
    await cluster.stop();
    const handle = await Database.connect({
      url: urlFor(cluster.adminUrl, 'postgres', TEST_PASSWORD),
      applicationName: 'early',
    });
    await expect(handle.ping()).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await cluster.start();
    await eventually(() => handle.ping());
    await handle.close();
    await cluster.remove();
  });
});

describe('a server that falls silent without closing a connection', () => {
  it('is waited for only so long, and every connection that it was asked on is given up', async () => {
    const url = new URL(store.app('compliance'));
    const link = await severableLink(url.hostname, Number(url.port));
    url.host = `127.0.0.1:${link.port}`;
    const own = await Database.connect({ url: url.href, applicationName: 'test', poolSize: 1, silenceMs: 1_500 });
    const ask = [
      () => own.query('select 1'),
      () => own.prepared('one', 'select 1', []),
      () => own.tenant(uuidv7(), (tx) => tx.query('select 1')),
    ];
    try {
      for (const one of ask) {
        await one();
        link.sever();
        await expect(one()).rejects.toBeInstanceOf(DatabaseUnavailableError);
        await one();
      }
    } finally {
      await own.close();
      await link.close();
    }
  });
});

describe('a database that is closed', () => {
  it('makes no connection for what goes on with its work', async () => {
    const own = await Database.connect({ url: store.app('compliance'), applicationName: 'closed', poolSize: 2 });
    const begun = own.transaction(async (tx) => {
      await own.close();
      return tx.query('select 1');
    });
    await expect(begun).rejects.toBeInstanceOf(DatabaseUnavailableError);
    const later = [() => own.query('select 1'), () => own.prepared('one', 'select 1', []), () => own.ping()];
    for (const ask of later) await expect(ask()).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect(own.transaction((tx) => tx.query('select 1'))).rejects.toBeInstanceOf(DatabaseUnavailableError);
    const left = await store.query(`select pid from pg_stat_activity where application_name = 'closed'`);
    expect(left).toEqual([]);
  });
});

/** A way to a server. sever: what is open now stays open and carries nothing any more, in either direction. */
async function severableLink(host: string, port: number) {
  const sockets = new Set<net.Socket>();
  const silent = new Set<net.Socket>();
  const carry = (from: net.Socket, to: net.Socket) => {
    sockets.add(from);
    from.on('data', (bytes) => {
      if (!silent.has(from)) to.write(bytes);
    });
    from.on('error', () => undefined).on('close', () => to.destroy());
  };
  const server = net.createServer((near) => {
    const far = net.connect(port, host);
    carry(near, far);
    carry(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sever: () => sockets.forEach((socket) => silent.add(socket)),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a connection that the server ends in the same breath as its last answer', () => {
  // An error event that nobody hears fails the run: it would have ended the process.
  it('costs nothing: the transaction that waited for it gets another one', async () => {
    const held = await heldAnswers(store.app('compliance'));
    const one = await Database.connect({ url: held.url, applicationName: 'held', poolSize: 1 });
    const [row] = await one.query<{ pid: number }>('select pg_backend_pid() as pid');
    const { answered, over } = held.hold();
    const before = one.query<{ two: number }>('select 2 as two');
    const after = one.transaction((tx) => tx.query('select 3 as three'));
    await answered;
    await store.query('select pg_terminate_backend($1)', [row?.pid]);
    await over;
    held.letGo();
    expect(await before).toEqual([{ two: 2 }]);
    expect(await after).toEqual([{ three: 3 }]);
    await one.ping();
    await one.close();
    await held.close();
  });

  it.each(['query', 'manager'] as const)(
    'between two statements of a transaction makes the next one unavailable: tx.%s',
    async (by) => {
      const lost = database.transaction(async (tx) => {
        const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
        await store.query('select pg_terminate_backend($1)', [row?.pid]);
        await new Promise((resolve) => setTimeout(resolve, 100)); // the connection has ended here, too
        await (by === 'query' ? tx.query('select 1') : (tx.manager as EntityManager).query('select 1'));
      });
      await expect(lost).rejects.toThrow(DatabaseUnavailableError);
      await database.ping();
    },
  );
});
