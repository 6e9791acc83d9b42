import { isUuid, retry } from '@constancia/kernel';
import { type ConnectionOptions, Connections } from './connections.ts';
import { sqlState, translated } from './errors.ts';
import { Listener } from './listener.ts';
import { POSITION, Replica } from './replica.ts';
import { currentStaleRead } from './stale-read.ts';
import { currentMeter, type StatementMeter } from './statement-meter.ts';
import type { RowOwner } from './tenant-table.ts';
import type { Tx } from './tx.ts';

/** `url`: with `directUrl` that of a pooler in transaction mode. */
export interface DatabaseOptions extends Omit<ConnectionOptions, 'limitsOfRole' | 'connectMs'> {
  /** Address of the server itself, for what needs a session. Left out: `url` is the server's. */
  directUrl?: string | undefined;
  /** Address of a hot standby, or of a pooler before it, for reads that may be stale (mayBeStale). As many connections as to `url`. */
  replicaUrl?: string | undefined;
}

/** Serialization failures and deadlocks: the transaction did nothing and may run again. */
const RETRYABLE = new Set(['40001', '40P01']);
const ATTEMPTS = 4;

/**
 * The one way to the store. Connects on first use and again whenever the server comes back: while it is unavailable, every call
 * throws DatabaseUnavailableError.
 */
export class Database {
  private readonly connections: Connections;
  private readonly replica: Replica | undefined;
  private readonly listener: Listener;
  /** Whether statements pass a pooler: each transaction may get another session. */
  private readonly pooled: boolean;

  constructor({ directUrl, replicaUrl, ...options }: DatabaseOptions) {
    const { url, applicationName } = options;
    this.pooled = directUrl !== undefined && directUrl !== url;
    this.connections = new Connections({ ...options, limitsOfRole: this.pooled });
    this.listener = new Listener(directUrl ?? url, `${applicationName}-listen`);
    if (replicaUrl !== undefined) this.replica = new Replica({ ...options, url: replicaUrl }, () => this.position());
  }

  /** Makes a database handle. Does not fail while the server is unavailable. */
  static async connect<D extends Database = Database>(
    this: new (options: DatabaseOptions) => D,
    options: DatabaseOptions,
  ): Promise<D> {
    const database = new this(options);
    await database.connections.ready().catch(() => undefined);
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
   * READ, read only). Where what is read may be stale (mayBeStale), from the replica: when that cannot answer, `work` runs again on the
   * primary. Nothing else is different from `tenant`.
   */
  async snapshot<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const begin = beginAs('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', { tenant: tenantId });
    const [meter, read] = [currentMeter(), currentStaleRead()];
    const found = read && (await this.replica?.read({ begin, meter, read }, work));
    return found ? found.value : this.run(begin, work, meter);
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
    await this.replica?.close();
    await this.connections.close();
  }

  private async position(): Promise<number> {
    const [row] = await this.query<{ position: number }>(POSITION);
    return row?.position as number;
  }

  private async once<Row>(query: Parameters<Connections['once']>[0]): Promise<Row[]> {
    try {
      return await this.connections.once<Row>(query);
    } catch (error) {
      throw translated(error);
    }
  }

  private run<T>(sql: string, work: (tx: Tx) => Promise<T>, meter?: StatementMeter): Promise<T> {
    return retry(() => this.connections.unit({ sql, meter }, work), {
      pauseMs: (error, attempt) => (attempt < ATTEMPTS && RETRYABLE.has(sqlState(error) ?? '') ? 0 : null),
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
