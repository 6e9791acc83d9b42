/** Requests in one batch at most (interface document, "Limits"). */
export const BATCH = 10;
/** Batches in progress at a time while there is backlog. */
const MOST_BATCHES = 4;

/**
 * Requests that a worker processes at a time, given its KMS limit: as many as it can sign in about half a second, so that
 * answers which take their time do not leave the limit unused, and none waits for its signature longer than a call may.
 */
export function placesFor(kmsMaxPerSecond: number): number {
  return Math.min(Math.max(BATCH, Math.ceil(kmsMaxPerSecond / 4)), MOST_BATCHES * BATCH);
}
