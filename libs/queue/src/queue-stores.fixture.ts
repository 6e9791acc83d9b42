import {
  redisInstalled,
  startCluster,
  startRedis,
  startRedisCluster,
  wipePostgresQueues,
  wipeRedisQueues,
} from '@constancia/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import { migrateQueue } from './index.ts';

/** A store of hints that a test may wipe, stop and start. */
export interface Store {
  options: { redisUrl?: string; databaseUrl?: string };
  wipe(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
  /** How many clients are connected. */
  connections(): Promise<number>;
  /** How many the hints of all queues of a process may hold, and each consumer. */
  most: { hints: number; consumer: number };
}

const TO_A_SERVER = { hints: 2, consumer: 3 };
/** A client is connected to the masters that it uses, to a node that reports changes, and for moments to one that lists the slots. */
const TO_A_CLUSTER = { hints: 5, consumer: 8 };

async function redisStore(): Promise<Store> {
  const server = await startRedis();
  return {
    options: { redisUrl: server.url },
    most: TO_A_SERVER,
    wipe: () => wipeRedisQueues(server.url),
    stop: () => server.kill(),
    start: () => server.start(),
    remove: () => server.kill(),
    async connections() {
      const client = new Redis(server.url);
      const clients = await client.client('LIST');
      client.disconnect();
      return String(clients).trim().split('\n').length - 1;
    },
  };
}

async function clusterStore(): Promise<Store> {
  const cluster = await startRedisCluster();
  const each = <T>(act: (port: number) => Promise<T>) => Promise.all(cluster.ports.map(act));
  return {
    options: { redisUrl: cluster.url },
    most: TO_A_CLUSTER,
    wipe: () => cluster.wipe(),
    stop: async () => void (await each((port) => cluster.kill(port))),
    async start() {
      await each((port) => cluster.revive(port));
      await cluster.whole();
    },
    remove: () => cluster.remove(),
    async connections() {
      const lists = await each((port) => cluster.ask(port, 'client', 'list', 'type', 'normal'));
      return (
        lists
          .join('\n')
          .split('\n')
          .filter((line) => line.startsWith('id=')).length - cluster.ports.length
      );
    },
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
    most: TO_A_SERVER,
    wipe: () => wipePostgresQueues(query),
    stop: () => cluster.stop(),
    start: () => cluster.start(),
    remove: () => cluster.remove(),
    async connections() {
      const sql = "select count(*)::int as held from pg_stat_activity where usename = 'queue_app'";
      return (await query<{ held: number }>(sql))[0]?.held ?? 0;
    },
  };
}

/** Both backends, Redis as a server and as a cluster. */
export const STORES = [
  { name: 'PostgreSQL', open: postgresStore, installed: true },
  { name: 'Redis (needs redis-server on the PATH)', open: redisStore, installed: redisInstalled },
  { name: 'Redis Cluster (needs redis-server on the PATH)', open: clusterStore, installed: redisInstalled },
];
