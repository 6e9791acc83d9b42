import { Redis } from 'ioredis';

type Query = <Row>(sql: string) => Promise<Row[]>;

/** What PostgreSQL says to the one that it ends when two wait for each other. */
const DEADLOCK = '40P01';
const ATTEMPTS = 10;

/** Empties the queues' Redis as an operator's mistake would: jobs, schedulers and all. */
export async function wipeRedisQueues(redisUrl: string): Promise<void> {
  const client = new Redis(redisUrl);
  await client.flushall();
  await client.quit();
}

/**
 * Empties every table of the schema of the queues, which `query` must be allowed to. Processes at work take the same tables in
 * an order of their own: when the server breaks the deadlock at this one's cost, it is tried again.
 */
export async function wipePostgresQueues(query: Query): Promise<void> {
  const [found] = await query<{ tables: string }>(
    `select string_agg(format('%I.%I', schemaname, tablename), ', ') as tables
       from pg_tables where schemaname = 'queue' and tablename not like '%migration%'`,
  );
  for (let attempt = 1; ; attempt++) {
    try {
      await query(`truncate ${found?.tables} cascade`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK || attempt === ATTEMPTS) throw error;
    }
  }
}
