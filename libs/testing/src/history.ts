import type { TestDatabase } from './test-database.ts';

/**
 * A long history: copies of one row of a table (`schema.name`), found by its id, each with an id and other values of its own. Values are
 * SQL expressions; `n` counts the copies.
 */
export async function copiesOf(
  store: TestDatabase,
  table: string,
  id: string,
  { count = 5_000, ...values }: { count?: number } & Record<string, string | number>,
): Promise<void> {
  // With `n`, which no table has: what does not depend on it would be evaluated once for all copies.
  const members = Object.entries({ n: 'n', id: 'platform.uuid_v7()', ...values }).map(
    ([name, value]) => `'${name}', ${value}`,
  );
  await store.query(
    `insert into ${table}
     select c.* from ${table} r, generate_series(1, ${count}) n,
            lateral jsonb_populate_record(r, jsonb_build_object(${members.join(', ')})) c where r.id = $1`,
    [id],
  );
  await store.query(`analyze ${table}`);
}

/** Pages of 8 KiB that a statement reads, those within the functions that it calls included: the second time, when nothing is new to it. */
export async function pagesRead(store: TestDatabase, sql: string, params: unknown[] = []): Promise<number> {
  const explained = `explain (analyze, buffers, format json) ${sql}`;
  await store.query(explained, params);
  const [row] = await store.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(explained, params);
  const plan = row?.['QUERY PLAN'][0].Plan;
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
}

/** What runs statements. */
interface Querying {
  query(sql: string, params?: unknown[]): Promise<unknown>;
}

/** Plans the statements that it is asked to run, instead of running them: each finds no rows, and its plan is kept. */
export function explaining<Q extends object>(tx: Q & Querying, plans: unknown[]): Q {
  const query = async (sql: string, params?: unknown[]): Promise<[]> => {
    plans.push(await tx.query(`explain (format json) ${sql}`, params));
    return [];
  };
  return { query } as unknown as Q;
}
