import { isUuid, retry } from '@constancia/kernel';
import pg from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { isUnavailable, RoleWithoutLimitsError, sqlState, translated } from './errors.ts';
import { LIMITS, STATEMENT_TIMEOUT_MS, UNLIMITED } from './limits.ts';
import { Listener } from './listener.ts';
import { currentMeter, MeteredClient, type MeteredUnit, type StatementMeter } from './statement-meter.ts';
import type { RowOwner } from './tenant-table.ts';
import type { Tx } from './tx.ts';

// bigint columns here are credits, sequences and counts: all below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface DatabaseOptions {
  /** postgres:// address of the app role. With `directUrl` that of a pooler in transaction mode. */
  url: string;
  /** Address of the server itself, for what needs a session. Left out: `url` is the server's. */
  directUrl?: string | undefined;
  /** The module's schema: that of the entities that name none, which are the kits'. */
  schema?: string;
  /** TypeORM entity classes. */
  entities?: NewableFunction[];
  /** Connections at most; default 10. */
  poolSize?: number;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** How long a server that has fallen silent is waited for, in ms; default 25,000: it ends its own statements after 20 s. */
  silenceMs?: number;
}

/** What TypeORM's driver answers for a connection of its pool. */
type PooledConnection = [client: pg.PoolClient, release: (error?: Error) => void];

/** Serialization failures and deadlocks: the transaction did nothing and may run again. */
const RETRYABLE = new Set(['40001', '40P01']);
const ATTEMPTS = 4;

/**
 * The one way to the store. Connects on first use and again whenever the server comes back: while it is unavailable, every call
 * throws DatabaseUnavailableError.
 */
export class Database {
  private source: DataSource;
  private connecting: Promise<void> | undefined;
  private readonly listener: Listener;
  /** Whether statements pass a pooler: each transaction may get another session. */
  private readonly pooled: boolean;

  constructor(private readonly options: DatabaseOptions) {
    this.pooled = options.directUrl !== undefined && options.directUrl !== options.url;
    this.source = this.newSource();
    this.listener = new Listener(options.directUrl ?? options.url, `${options.applicationName}-listen`);
  }

  /** Makes a database handle. Does not fail while the server is unavailable. */
  static async connect<D extends Database = Database>(
    this: new (options: DatabaseOptions) => D,
    options: DatabaseOptions,
  ): Promise<D> {
    const database = new this(options);
    await database.ready().catch(() => undefined);
    return database;
  }

  /**
   * Runs a unit of work as one tenant: row-level security shows and accepts only that tenant's rows. Begins the transaction
   * and sets the tenant in one round trip. Commits when `work` resolves, rolls back when it throws; runs again after a
   * deadlock or serialization failure, so `work` must have no effects outside the transaction.
   */
  tenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.run(beginAs('BEGIN', { tenant: tenantId }), work, currentMeter());
  }

  /** The same as one wallet: it sees and accepts only rows of that wallet, and none of any tenant. */
  wallet<T>(walletId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.run(beginAs('BEGIN', { wallet: walletId }), work);
  }

  /** The same for what passes from a tenant to a wallet, or back, in one transaction: rows of both, and of no other. */
  tenantAndWallet<T>(tenantId: string, walletId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.run(beginAs('BEGIN', { tenant: tenantId, wallet: walletId }), work);
  }

  /**
   * Reads as one tenant from one state of the store, however many statements it takes and whatever commits meanwhile (REPEATABLE
   * READ, read only). Nothing else is different from `tenant`.
   */
  snapshot<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const begin = beginAs('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', { tenant: tenantId });
    return this.run(begin, work, currentMeter());
  }

  /** Runs a unit of work without a tenant: row-level security hides every tenant-owned row; published functions work. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.run('BEGIN', work);
  }

  /** Runs one statement in a transaction of its own, in one round trip. */
  async query<Row = Record<string, unknown>>(sql: string, params: unknown[] = []): Promise<Row[]> {
    return this.once({ text: sql, values: params });
  }

  /**
   * Runs one prepared statement, by name, in a transaction of its own: planned once per connection. For the hottest reads. Through a
   * pooler it has no name, since the session that knows the name may serve others: it is planned each time.
   */
  async prepared<Row = Record<string, unknown>>(name: string, sql: string, params: unknown[]): Promise<Row[]> {
    return this.once({ ...(!this.pooled && { name }), text: sql, values: params });
  }

  /** Receives NOTIFY payloads of a channel on a connection of its own, which reconnects by itself. */
  listen(channel: string, handler: (payload: string) => void): Promise<{ close(): Promise<void> }> {
    return this.listener.listen(channel, handler);
  }

  /** Whether the LISTEN connection is up at present. */
  get listening(): boolean {
    return this.listener.connected;
  }

  /** Throws DatabaseUnavailableError when the server does not answer. */
  async ping(): Promise<void> {
    await this.query('select 1');
  }

  async close(): Promise<void> {
    await this.listener.close();
    if (this.source.isInitialized) await this.source.destroy();
  }

  private async once<Row>(query: pg.QueryConfig): Promise<Row[]> {
    await this.ready();
    try {
      const [client, release] = (await this.source.driver.obtainMasterConnection()) as PooledConnection;
      try {
        const { rows } = await client.query(query);
        release();
        return rows as Row[];
      } catch (error) {
        release(error as Error); // as pg's own pool does: the connection is not used again
        throw error;
      }
    } catch (error) {
      throw translated(error);
    }
  }

  private async run<T>(begin: string, work: (tx: Tx) => Promise<T>, meter?: StatementMeter): Promise<T> {
    try {
      return await retry(() => this.attempt(begin, work, meter), {
        pauseMs: (error, attempt) => (attempt < ATTEMPTS && RETRYABLE.has(sqlState(error) ?? '') ? 0 : null),
      });
    } catch (error) {
      throw translated(error);
    }
  }

  private async attempt<T>(begin: string, work: (tx: Tx) => Promise<T>, meter?: StatementMeter): Promise<T> {
    await this.ready();
    const runner = this.source.createQueryRunner();
    let unit: MeteredUnit | undefined;
    try {
      const client = (await runner.connect()) as pg.PoolClient;
      unit = meter?.begin(); // after the wait for a connection: what the meter knows may have changed in it
      await client.query(withTimeout(begin, unit));
      const result = await work(transactionOf(client, runner));
      const { command } = await client.query('COMMIT');
      // PostgreSQL answers the COMMIT of a failed transaction with a rollback, and with no error.
      if (command !== 'COMMIT') throw new Error('a failed statement was ignored: the transaction was rolled back');
      return result;
    } catch (error) {
      if (isUnavailable(error)) await abandon(runner);
      else await rollback(runner);
      throw error;
    } finally {
      unit?.end();
      await runner.release();
    }
  }

  private async ready(): Promise<void> {
    if (this.source.isInitialized) return;
    this.connecting ??= this.initialize(this.source)
      .catch(async (error: unknown) => {
        this.source = this.newSource();
        throw translated(error);
      })
      .finally(() => (this.connecting = undefined));
    await this.connecting;
  }

  private async initialize(source: DataSource): Promise<void> {
    await source.initialize();
    if (!this.pooled) return;
    try {
      const unlimited = await source.query<{ name: string; role: string }[]>(UNLIMITED);
      const [first] = unlimited;
      if (first)
        throw new RoleWithoutLimitsError(
          first.role,
          unlimited.map(({ name }) => name),
        );
    } catch (error) {
      await source.destroy();
      throw error;
    }
  }

  private newSource(): DataSource {
    return new DataSource({
      type: 'postgres',
      url: this.options.url,
      schema: this.options.schema,
      entities: (this.options.entities ?? []) as never[],
      applicationName: this.options.applicationName,
      poolSize: this.options.poolSize ?? 10,
      connectTimeoutMS: 10_000, // also bounds how long a caller waits for a free connection
      installExtensions: false,
      logging: false,
      poolErrorHandler: () => undefined, // an idle connection that breaks is replaced on next use
      extra: {
        Client: MeteredClient,
        keepAlive: true,
        query_timeout: this.options.silenceMs ?? 25_000,
        ...(!this.pooled && LIMITS),
      },
    });
  }
}

/** Begins a transaction as owners of rows, in one round trip. */
function beginAs(begin: string, owners: Partial<Record<RowOwner, string>>): string {
  const settings = Object.entries(owners).map(([owner, id]) => {
    if (!isUuid(id)) throw new Error(`a ${owner} id is a UUID`);
    return `set_config('app.${owner}_id', '${id}', true)`;
  });
  return `${begin}; SELECT ${settings.join(', ')}`;
}

/** The same for statements that may take less time than others. */
function withTimeout(begin: string, unit: MeteredUnit | undefined): string {
  if (unit === undefined || unit.statementTimeoutMs >= STATEMENT_TIMEOUT_MS) return begin;
  return `${begin}, set_config('statement_timeout', '${Math.round(unit.statementTimeoutMs)}', true)`;
}

function transactionOf(client: pg.PoolClient, runner: QueryRunner): Tx {
  return {
    async query<Row>(sql: string, params: unknown[] = []) {
      const result = await client.query(sql, params);
      return result.rows as Row[];
    },
    get manager() {
      return runner.manager;
    },
  };
}

async function rollback(runner: QueryRunner): Promise<void> {
  try {
    const client = (await runner.connect()) as pg.PoolClient;
    await client.query('ROLLBACK');
  } catch {
    // The connection is gone, and the transaction with it.
  }
}

/** Ends a connection that answers no more: back in the pool, it would make the next one wait too. */
async function abandon(runner: QueryRunner): Promise<void> {
  try {
    const client = (await runner.connect()) as pg.PoolClient & { end(): Promise<void> };
    void client.end().catch(() => undefined);
  } catch {
    // There was none.
  }
}
