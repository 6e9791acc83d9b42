import type { Socket } from 'node:net';
import pg from 'pg';
import type { TestDatabase } from './test-database.ts';

/** `before` a statement is sent, or `after` it was done and before its answer has come. */
export type Moment = 'before' | 'after';

type Query = (this: pg.Client, ...given: unknown[]) => Promise<unknown>;

/**
 * Ends the server's side of a connection at one statement of the next transaction that is of a tenant and of a wallet, as when the process
 * that works on it is killed there. Answers the statements of that transaction up to there; without a place, all of them.
 */
export async function cutTransaction(
  store: TestDatabase,
  work: () => Promise<unknown>,
  cut?: { nth: number; moment: Moment },
): Promise<string[]> {
  const client = pg.Client.prototype as unknown as { query: Query };
  const query = client.query;
  const statements: string[] = [];
  /** The connection of that transaction, while it is open. */
  const watched = new Set<pg.Client>();
  client.query = function (...given) {
    const [sql] = given;
    if (typeof sql !== 'string') return query.apply(this, given);
    if (statements.length === 0 && sql.includes('app.tenant_id') && sql.includes('app.wallet_id')) watched.add(this);
    if (!watched.has(this)) return query.apply(this, given);
    const nth = statements.push(sql) - 1;
    if (sql === 'COMMIT' || sql === 'ROLLBACK' || nth === cut?.nth) watched.clear();
    return nth === cut?.nth ? cutHere(this, () => query.apply(this, given), cut.moment) : query.apply(this, given);
  };
  const cutHere = async (lost: pg.Client, send: () => Promise<unknown>, moment: Moment) => {
    if (moment === 'after') await send();
    const over = new Promise((resolve) => lost.once('end', resolve));
    const { processID, connection } = lost as pg.Client & { processID: number; connection: { stream: Socket } };
    const [row] = await store.query<{ ended: boolean }>('select pg_terminate_backend($1) as ended', [processID]);
    if (!row?.ended) connection.stream.destroy(); // a pooler's: the server's side is somebody's else, or nobody's
    await over;
    return query.call(lost, 'select 1'); // fails as whatever comes after the loss does
  };
  try {
    await work();
  } finally {
    client.query = query;
  }
  return statements;
}
