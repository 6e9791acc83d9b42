import { DataSource, type QueryRunner } from 'typeorm';
import pg from 'pg';
import { DatabaseUnavailableError, isUnavailable, RoleWithoutLimitsError, translated } from './errors.ts';
import { LIMITS, STATEMENT_TIMEOUT_MS, UNLIMITED } from './limits.ts';
import { MeteredClient, type MeteredUnit, type StatementMeter } from './statement-meter.ts';
import type { Tx } from './tx.ts';

// bigint columns here are credits, sequences and counts: all below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface ConnectionOptions {
  /** postgres:// address of the app role. */
  url: string;
  /** Whether the limits are those of the role, which must have them, and are not sent when a connection opens. */
  limitsOfRole: boolean;
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
  /** How long a caller waits for a connection, in ms; default 10,000. */
  connectMs?: number;
}

/** How a unit of work begins. */
export interface Beginning {
  /** `BEGIN …; SELECT …`, in one round trip. The SELECT may get further columns. */
  sql: string;
  meter?: StatementMeter | undefined;
  /** How long the server is waited for until it has begun, in ms; as for any other statement by default. */
  silenceMs?: number;
  /** Looks at the row that the SELECT answered. What it throws ends the unit before its work. */
  begun?(row: Record<string, unknown>): void;
  /** Learns why the unit fails, when it is this server or the connection to it; not what else its work asks. */
  failed?(error: unknown): void;
}

/** What TypeORM's driver answers for a connection of its pool. */
type PooledConnection = [client: pg.PoolClient, release: (error?: Error) => void];

/** Connections to one server. They are made on first use, and again whenever the server comes back, until they are closed. */
export class Connections {
  private source: DataSource;
  private connecting: Promise<void> | undefined;
  private isClosed = false;

  constructor(private readonly options: ConnectionOptions) {
    this.source = this.newSource();
  }

  /** Throws DatabaseUnavailableError, or RoleWithoutLimitsError, when there is no connection to be had. */
  async ready(): Promise<void> {
    if (this.isClosed) throw new DatabaseUnavailableError();
    if (this.source.isInitialized) return;
    this.connecting ??= this.initialize(this.source)
      .catch(async (error: unknown) => {
        this.source = this.newSource();
        throw translated(error);
      })
      .finally(() => (this.connecting = undefined));
    await this.connecting;
  }

  /** Runs one statement in a transaction of its own, in one round trip. Throws what the driver throws. */
  async once<Row>(query: pg.QueryConfig): Promise<Row[]> {
    await this.ready();
    const [client, release] = (await this.source.driver.obtainMasterConnection()) as PooledConnection;
    try {
      const { rows } = await client.query(query);
      release();
      return rows as Row[];
    } catch (error) {
      release(error as Error); // as pg's own pool does: the connection is not used again
      throw error;
    }
  }

  /**
   * Runs a transaction: commits when `work` resolves, rolls back when it throws. Throws DatabaseUnavailableError, what else the driver
   * throws, and what `work` throws of itself, as it is: another server that `work` asks says nothing of this one.
   */
  async unit<T>({ sql, meter, silenceMs, begun, failed }: Beginning, work: (tx: Tx) => Promise<T>): Promise<T> {
    await this.ready();
    const runner = this.source.createQueryRunner();
    let unit: MeteredUnit | undefined;
    let client: (MeteredClient & pg.PoolClient) | undefined;
    try {
      client = (await runner.connect()) as MeteredClient & pg.PoolClient;
      unit = meter?.begin(); // after the wait for a connection: what the meter knows may have changed in it
      const text = withTimeout(sql, unit);
      const query = silenceMs === undefined ? text : { text, query_timeout: silenceMs };
      const answers: unknown = await client.query(query);
      begun?.(lastRow(answers));
      const result = await work(transactionOf(client, runner));
      const { command } = await client.query('COMMIT');
      // PostgreSQL answers the COMMIT of a failed transaction with a rollback, and with no error.
      if (command !== 'COMMIT') throw new Error('a failed statement was ignored: the transaction was rolled back');
      return result;
    } catch (error) {
      // TypeORM releases the runner of a connection that broke.
      const isOurs = client === undefined || client.failedWith(error) || runner.isReleased;
      if (isOurs) failed?.(error);
      if (isOurs && isUnavailable(error)) await abandon(runner);
      else await rollback(runner);
      throw isOurs ? translated(error) : error;
    } finally {
      unit?.end();
      await runner.release();
    }
  }

  /** Ends transactions that are under way. No connection is made from now on, also not for work that goes on. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.connecting?.catch(() => undefined);
    if (this.source.isInitialized) await this.source.destroy();
  }

  private async initialize(source: DataSource): Promise<void> {
    await source.initialize();
    if (!this.options.limitsOfRole) return;
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
    const { url, schema, entities = [], applicationName, poolSize = 10, connectMs = 10_000 } = this.options;
    return new DataSource({
      type: 'postgres',
      url,
      schema,
      entities: entities as never[],
      applicationName,
      poolSize,
      connectTimeoutMS: connectMs, // also bounds how long a caller waits for a free connection
      installExtensions: false,
      logging: false,
      poolErrorHandler: () => undefined, // an idle connection that breaks is replaced on next use
      extra: {
        Client: MeteredClient,
        keepAlive: true,
        query_timeout: this.options.silenceMs ?? 25_000,
        ...(!this.options.limitsOfRole && LIMITS),
      },
    });
  }
}

/** The same for statements that may take less time than others. */
function withTimeout(begin: string, unit: MeteredUnit | undefined): string {
  if (unit === undefined || unit.statementTimeoutMs >= STATEMENT_TIMEOUT_MS) return begin;
  return `${begin}, set_config('statement_timeout', '${Math.round(unit.statementTimeoutMs)}', true)`;
}

/** Of the results of several statements; of one alone pg answers no list. */
function lastRow(results: unknown): Record<string, unknown> {
  const last = [results].flat().at(-1) as pg.QueryResult<Record<string, unknown>>;
  return last.rows[0] ?? {};
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
