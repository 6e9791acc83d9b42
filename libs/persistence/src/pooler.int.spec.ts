import { uuidv7 } from '@constancia/kernel';
import {
  eventually,
  NO_POOLER,
  type Pooler,
  poolerInstalled,
  startPooler,
  testDatabase,
  type TestDatabase,
} from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { Database, type DatabaseOptions } from './database.ts';
import { DatabaseUnavailableError } from './errors.ts';
import { LIMITS, type ModuleSchema, migrate, tenantTable } from './index.ts';

class Notes1700000000001 {
  async up(runner: { query(sql: string): Promise<unknown> }) {
    await runner.query(`
      create table compliance.note (id uuid primary key, tenant_id uuid not null, body text not null);
      ${tenantTable('compliance', 'note')}
    `);
  }
  async down() {}
}
const NOTES: ModuleSchema = { schema: 'compliance', migrations: [Notes1700000000001] };
/** Connections of the pooler to the server, for all processes of a role together. */
const POOL_SIZE = 2;

describe.skipIf(!poolerInstalled)(poolerInstalled ? 'through a pooler in transaction mode' : NO_POOLER, () => {
  let store: TestDatabase;
  let pooler: Pooler;

  beforeAll(async () => {
    store = await testDatabase();
    await migrate(store.owner('compliance'), NOTES);
    pooler = await startPooler({ serverUrl: inject('postgresUrl'), poolSize: POOL_SIZE, waitSeconds: 3 });
  });
  afterAll(async () => {
    await pooler?.remove();
    await store?.drop();
  });

  /** A process with connections of its own. */
  async function process(options: Partial<DatabaseOptions> = {}, role = 'compliance'): Promise<Database> {
    const direct = store.app(role);
    const url = pooler.through(direct);
    const database = await Database.connect({ url, directUrl: direct, applicationName: 'test', ...options });
    onTestFinished(() => database.close());
    return database;
  }
  const read = (database: Database) => database.query<{ body: string }>('select body from compliance.note');

  it('shows each process and tenant its own rows alone, however the connections change hands', async () => {
    const processes = await Promise.all([1, 2, 3, 4].map(() => process()));
    const backends = new Set<number>();
    await Promise.all(
      processes.flatMap((database) =>
        Array.from({ length: 10 }, async () => {
          const tenant = uuidv7();
          for (let turn = 1; turn <= 3; turn += 1) {
            await database.tenant(tenant, async (tx) => {
              await tx.query('insert into compliance.note values ($1, $2, $3)', [uuidv7(), tenant, tenant]);
              const rows = await tx.query<{ body: string; pid: number }>(
                'select body, pg_backend_pid() as pid from compliance.note',
              );
              expect(rows.map(({ body }) => body)).toEqual(Array.from({ length: turn }, () => tenant));
              for (const { pid } of rows) backends.add(pid);
            });
            expect(await read(database)).toEqual([]);
          }
        }),
      ),
    );
    expect(backends.size).toBeLessThanOrEqual(POOL_SIZE);
  });

  it('leaves nothing of a transaction that failed or was cut off to the next client', async () => {
    const [one, other] = [await process({ poolSize: 1, silenceMs: 300 }), await process()];
    const tenant = uuidv7();
    const failing = one.tenant(tenant, async (tx) => {
      await tx.query('insert into compliance.note values ($1, $2, $3)', [uuidv7(), tenant, 'never']);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    // The client gives up in the middle of a transaction, and closes its connection.
    await expect(one.tenant(tenant, (tx) => tx.query('select pg_sleep(1)'))).rejects.toThrow(DatabaseUnavailableError);
    const settings = () =>
      other.query<{ tenant: string }>("select coalesce(current_setting('app.tenant_id', true), '') as tenant");
    for (let turn = 0; turn < 10; turn += 1) expect(await settings()).toEqual([{ tenant: '' }]);
    expect(await one.tenant(tenant, (tx) => tx.query('select body from compliance.note'))).toEqual([]);
  });

  it('has the limits of the role, which end a statement of no transaction too', async () => {
    const limits = async (database: Database) => {
      const settings = await database.query<{ name: string; setting: string }>(
        'select name, setting from pg_settings where name = any($1)',
        [Object.keys(LIMITS)],
      );
      return Object.fromEntries(settings.map(({ name, setting }) => [name, Number(setting)]));
    };
    const database = await process();
    expect(await limits(database)).toEqual(LIMITS);
    expect(await limits(await process({ url: store.app('compliance'), directUrl: undefined }))).toEqual(LIMITS);
    const shorter = database.transaction(async (tx) => {
      await tx.query("select set_config('statement_timeout', '100', true)");
      await tx.query('select pg_sleep(5)');
    });
    await expect(shorter).rejects.toMatchObject({ reason: 'too_slow' });
    expect(await limits(database)).toEqual(LIMITS);

    const { pathname } = new URL(store.adminUrl);
    await store.query(`alter role compliance_app in database ${pathname.slice(1)} set statement_timeout = 200`);
    await store.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'compliance_app' and datname = current_database()`,
    );
    await eventually(() => database.ping());
    await expect(database.query('select pg_sleep(5)')).rejects.toMatchObject({ reason: 'too_slow' });
    await store.query(`alter role compliance_app in database ${pathname.slice(1)} reset statement_timeout`);
    await store.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'compliance_app' and datname = current_database()`,
    );
    await eventually(() => database.ping());
  });

  it('does not work for a role that has no limits, and says what to do', async () => {
    const { pathname } = new URL(store.adminUrl);
    await store.query(`alter role identity_app in database ${pathname.slice(1)} set lock_timeout = 0`);
    const database = await process({}, 'identity');
    try {
      await expect(database.ping()).rejects.toThrow('identity_app has no lock_timeout: run the bootstrap');
    } finally {
      await store.query(`alter role identity_app in database ${pathname.slice(1)} reset lock_timeout`);
    }
    // A connection keeps the settings that it was opened with.
    await store.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'identity_app' and datname = current_database()`,
    );
    await eventually(() => database.ping());
  });

  it('runs prepared statements of the same name and other texts, on whatever connection', async () => {
    const [one, other] = [await process(), await process()];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        at % 2 === 0
          ? one.prepared<{ n: number }>('same', 'select $1::int as n', [at])
          : other.prepared<{ n: number }>('same', 'select $1::int + 100 as n', [at]),
      ),
    );
    expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 40 }, (_, at) => at + (at % 2) * 100));
  });

  it('hears what is notified through the pooler on the direct connection, also after both were lost', async () => {
    const [speaker, hearer] = [await process(), await process()];
    const heard: string[] = [];
    await hearer.listen('pooler_test', (payload) => heard.push(payload));
    const say = (word: string) =>
      speaker.transaction((tx) => tx.query('select pg_notify($1, $2)', ['pooler_test', word]));
    await say('one');
    await eventually(() => expect(heard).toEqual(['one']));
    await pooler.kill();
    await pooler.start();
    await store.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test-listen' and datname = current_database()`,
    );
    await eventually(async () => {
      await say('two');
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(heard).toContain('two');
    });
  });

  it('answers unavailable to what gets no connection of the server in time, and works again afterwards', async () => {
    const [busy, late] = [await process(), await process()];
    let free = (): void => undefined;
    const freed = new Promise<void>((resolve) => (free = resolve));
    let holding = 0;
    const holders = Array.from({ length: POOL_SIZE }, () =>
      busy.transaction(async () => {
        holding += 1;
        await freed;
      }),
    );
    await eventually(() => expect(holding).toBe(POOL_SIZE));
    await expect(late.ping()).rejects.toThrow(DatabaseUnavailableError);
    free();
    await Promise.all(holders);
    await late.ping();
  });
});
