import type { Database } from '@constancia/persistence';
import type { Lanes } from './lanes.ts';

/** A run moves once a second, by as many deliveries as its rate allows. */
const SLICE_EVERY_MS = 1_000;
export const REPLAYS_EVERY_MS = 500;
const SLICES_AT_ONCE = 100;

/**
 * Carries out a slice of every replay run that is due and wakes its endpoints. The state of a run is in Postgres, cursor and
 * next slice included: any number of processes share the work and keep to the rate together.
 *
 * @param perSecond deliveries per second and run
 */
export async function replaySlices(database: Database, lanes: Pick<Lanes, 'wake'>, perSecond: number): Promise<void> {
  for (let slice = 0; slice < SLICES_AT_ONCE; slice++) {
    const [done] = await database.query<{ run_id: string | null; endpoints: string[] | null }>(
      'select run_id, endpoints from platform.replay_slice($1, $2)',
      [perSecond, SLICE_EVERY_MS],
    );
    if (!done?.run_id) return;
    for (const endpointId of done.endpoints ?? []) lanes.wake(endpointId);
  }
}
