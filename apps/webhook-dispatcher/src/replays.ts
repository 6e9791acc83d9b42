import type { Database } from '@constancia/persistence';
import type { Lanes } from './lanes.ts';

/** A run moves once a second, by as many deliveries as its rate allows. */
const SLICE_EVERY_MS = 1_000;
export const REPLAYS_EVERY_MS = 500;
const SLICES_AT_ONCE = 100;

/**
 * Carries out a slice of every replay run that is due and wakes its endpoints. The state of a run is in Postgres, cursor and
 * next slice included: any number of processes share the work and keep to the rate together. A run whose slice fails has its
 * next turn like the others; throws the first failure once all had theirs.
 *
 * @param perSecond deliveries per second and run
 */
export async function replaySlices(database: Database, lanes: Pick<Lanes, 'wake'>, perSecond: number): Promise<void> {
  const failures: unknown[] = [];
  for (let slice = 0; slice < SLICES_AT_ONCE; slice++) {
    const [claim] = await database.query<{ run_id: string | null }>('select platform.claim_replay($1) as run_id', [
      SLICE_EVERY_MS,
    ]);
    if (!claim?.run_id) break;
    try {
      for (const endpointId of await replaySlice(database, claim.run_id, perSecond)) lanes.wake(endpointId);
    } catch (error) {
      failures.push(error); // the other runs have their turn first
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function replaySlice(database: Database, runId: string, limit: number): Promise<string[]> {
  const [done] = await database.query<{ endpoints: string[] }>('select platform.replay_slice($1, $2) as endpoints', [
    runId,
    limit,
  ]);
  return done?.endpoints ?? [];
}
