import { ageMs } from './list-age.ts';
import type { Lists } from './lists.ts';

/** Throws until this process knows which lists there are: before that, no request should be sent to it. */
export async function requireListsLoaded(lists: Lists): Promise<void> {
  if (!lists.loaded) throw new Error('the lists are not loaded yet');
}

/** The operator's lists as /readyz of the ops port describes them. */
export async function readinessDetails(lists: Lists): Promise<Record<string, unknown>> {
  const { rows, stale, missing } = await lists.current();
  const details = rows.map((row) => [
    row.list,
    { version: row.version, age_seconds: Math.floor(ageMs(row) / 1000), stale: stale.includes(row.list) },
  ]);
  return { lists: Object.fromEntries(details) as object, missing_lists: missing };
}
