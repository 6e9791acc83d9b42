import { redisInstalled, startCluster, startRedis, wipePostgresQueues, wipeRedisQueues } from '@constancia/testing';
import pg from 'pg';
import { migrateQueue } from '@constancia/queue';

/** A store of hints that a test may wipe, stop and start. */
export interface Store {
  options: { redisUrl?: string; databaseUrl?: string };
  wipe(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

async function redisStore(): Promise<Store> {
  const server = await startRedis();
  return {
    options: { redisUrl: server.url },
    wipe: () => wipeRedisQueues(server.url),
    stop: () => server.kill(),
    start: () => server.start(),
    remove: () => server.kill(),
  };
}

async function postgresStore(): Promise<Store> {
  const cluster = await startCluster();
  const query = async <Row>(sql: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: cluster.adminUrl });
    await client.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  };
  await query(
    "create role queue_app login password 'hints'; grant queue_app to current_user; create schema queue authorization queue_app",
  );
  const url = new URL(cluster.adminUrl);
  url.username = 'queue_app';
  url.password = 'hints';
  await migrateQueue(url.toString());
  await migrateQueue(url.toString());
  return {
    options: { databaseUrl: url.toString() },
    wipe: () => wipePostgresQueues(query),
    stop: () => cluster.stop(),
    start: () => cluster.start(),
    remove: () => cluster.remove(),
  };
}

/** Connections that the role of the queues holds on a PostgreSQL server. */
export async function connectionsOn(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      'select count(*)::int as held from pg_stat_activity where usename = current_user and pid <> pg_backend_pid()',
    );
    return (rows[0] as { held: number }).held;
  } finally {
    await client.end();
  }
}

/** Both backends. */
export const STORES = [
  { name: 'PostgreSQL', open: postgresStore, installed: true },
  { name: 'Redis (needs redis-server on the PATH)', open: redisStore, installed: redisInstalled },
];
