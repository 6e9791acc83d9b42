import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@constancia/persistence';

const WAIT_MS = 4_000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

const NEXT_TRANSACTION = 'select pg_snapshot_xmax(pg_current_snapshot())::text as id';
const HAVE_ENDED = 'select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as ended';

/**
 * Waits until every transaction that has written or locked anything by now has ended: each of them then sees, or has had its effect on, what
 * was committed before the call. It locks nothing and holds nobody up. Answers false when one of them is still under way after 4 s.
 */
export async function earlierWritersEnded(database: Database): Promise<boolean> {
  const [next] = await database.query<{ id: string }>(NEXT_TRANSACTION);
  const until = Date.now() + WAIT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const [row] = await database.query<{ ended: boolean }>(HAVE_ENDED, [next?.id]);
    if (row?.ended === true) return true;
    if (Date.now() >= until) return false;
    await sleep(pauseMs);
  }
}
