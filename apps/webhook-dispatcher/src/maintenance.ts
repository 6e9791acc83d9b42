import type { Database } from '@constancia/persistence';

export const MAINTENANCE_EVERY_MS = 10 * 60_000;
const DAYS_AHEAD = 7;
const PRUNE = 5_000;

/** Makes the coming days' partitions, drops those past retention, and prunes the deliveries of that time in small steps. */
export async function maintain(database: Database, keepDays: number): Promise<void> {
  await database.query('select platform.maintain_partitions($1, $2)', [DAYS_AHEAD, keepDays]);
  for (;;) {
    const [row] = await database.query<{ gone: number }>('select platform.prune_deliveries($1, $2) as gone', [
      keepDays,
      PRUNE,
    ]);
    if ((row?.gone ?? 0) < PRUNE) return;
  }
}
