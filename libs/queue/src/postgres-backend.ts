import { LossTolerantClient } from '@constancia/persistence';
import { PostgresConnection, PostgresQueueBackend, Queue, createPostgresBackend, runMigrations } from 'bullmq';
import type { BackendFactory, IQueueBackend, PgQueryable, PostgresPoolConfig } from 'bullmq';
import { hintOptions, makeWorker } from './backend.ts';
import type { Backend, Hint, HintProcessor, HintQueue, HintWorker, Payload, Producer } from './backend.ts';

const SCHEMA = 'queue';
const bullmqs = createPostgresBackend as unknown as BackendFactory<IQueueBackend, unknown>;

const factory: typeof bullmqs = (...args) => {
  const backend = bullmqs(...args);
  // The one that listens is no pool's: BullMQ makes it of what it takes for the driver.
  const { connection } = backend as unknown as { connection: { pgModule: object } };
  connection.pgModule = { Client: LossTolerantClient };
  return backend;
};

/**
 * BullMQ's own tables, in schema `queue` of the database. The schema is honoured only when BullMQ builds the pool, so it
 * builds all of them. Connections: two at most for the process's hints, and per worker two and one that listens.
 */
export class PostgresBackend implements Backend {
  readonly kind = 'postgres';

  constructor(
    private readonly url: string,
    private readonly app: string,
  ) {}

  async openProducer(): Promise<Producer> {
    const connection = new PostgresConnection({ ...this.pool('hints'), query_timeout: 5_000 } as PostgresPoolConfig);
    connection.on('error', () => undefined); // every lost hint is counted where it was sent
    try {
      await connection.waitUntilReady();
    } catch (error) {
      await connection.close().catch(() => undefined);
      throw error;
    }
    return new PostgresProducer(connection);
  }

  worker(name: string, processor: HintProcessor, concurrency: number): HintWorker {
    return makeWorker(name, processor, { concurrency, connection: this.pool(name) }, factory);
  }

  private pool(purpose: string): PostgresPoolConfig {
    const config = {
      connectionString: this.url,
      schema: SCHEMA,
      max: 2,
      application_name: `${this.app}:${purpose}`,
      connectionTimeoutMillis: 3_000,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      Client: LossTolerantClient,
    };
    return config as PostgresPoolConfig;
  }
}

class PostgresProducer implements Producer {
  private readonly queues = new Map<string, HintQueue>();

  constructor(private readonly connection: PostgresConnection) {}

  queue(name: string): HintQueue {
    let queue = this.queues.get(name);
    if (!queue) {
      queue = new Queue<Payload, void, string, Payload, void, string, IQueueBackend, unknown>(
        name,
        { connection: undefined, streams: { events: { maxLen: 100 } } },
        // Not the owner of the connection: closing a queue must not close the other queues' pool.
        (queueName, options) =>
          new PostgresQueueBackend(
            this.connection,
            queueName,
            options as ConstructorParameters<typeof PostgresQueueBackend>[2],
            false,
          ),
      );
      queue.on('error', () => undefined);
      this.queues.set(name, queue);
    }
    return queue;
  }

  async send(name: string, hints: Hint[]): Promise<void> {
    const jobs = hints.map(({ message, dedupId }) => ({ name: 'hint', data: message, opts: hintOptions(dedupId) }));
    await this.queue(name).addBulk(jobs);
  }

  async ping(): Promise<void> {
    await this.connection.pool.query('select 1');
  }

  async close(): Promise<void> {
    await this.connection.close();
  }
}

/**
 * Makes or upgrades the tables of the PostgreSQL backend in schema `queue`. Safe to run by several at once (advisory
 * lock). Needs a role that owns the schema, or one that may create it.
 */
export async function migrateQueue(databaseUrl: string): Promise<void> {
  const config = {
    connectionString: databaseUrl,
    schema: SCHEMA,
    max: 1,
    connectionTimeoutMillis: 5_000,
    Client: LossTolerantClient,
  };
  const connection = new PostgresConnection(config as PostgresPoolConfig);
  connection.on('error', () => undefined);
  try {
    const client = await connection.pool.connect();
    try {
      const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [SCHEMA]);
      await runMigrations(rows.length > 0 ? withoutCreateSchema(client) : client, SCHEMA);
    } finally {
      client.release();
    }
  } finally {
    await connection.close();
  }
}

/** PostgreSQL refuses `create schema if not exists` to a role that may not create one, even when the schema is there. */
function withoutCreateSchema(client: PgQueryable): PgQueryable {
  return {
    query: async <R>(text: string, params?: readonly unknown[]) =>
      text.startsWith('CREATE SCHEMA') ? { rows: [] as R[] } : client.query<R>(text, params),
  };
}
