import type { Deliveries } from './deliveries.ts';
import type { Lanes } from './lanes.ts';

/** How often Postgres is asked for work: the timer of the retries, and the net under lost hints. */
export const SWEEP_EVERY_MS = 250;
const ENDPOINTS = 5_000;
const CLOSED_DELIVERIES = 2_000;

/** Wakes the lane of every endpoint with work, and fails what waits for endpoints that were deleted. */
export async function sweep(deliveries: Deliveries, lanes: Pick<Lanes, 'wake'>): Promise<void> {
  const closed: string[] = [];
  for (const { endpoint_id, state } of await deliveries.dueEndpoints(ENDPOINTS)) {
    if (state === 'due') lanes.wake(endpoint_id);
    else closed.push(endpoint_id);
  }
  if (closed.length > 0) await deliveries.failClosed(closed, CLOSED_DELIVERIES);
}
