import { FollowedValue } from '@constancia/telemetry';

/** How old what is read from a replica may be. The API descriptions state it. */
export const MAX_STALENESS_SECONDS = 10;

/**
 * Why the primary was read instead: the replica lacks what was committed MAX_STALENESS_SECONDS ago (`behind`), it could not be reached
 * (`unavailable`), it ended a statement for what it had to replay (`conflict`), or a statement or the connection failed (`failed`).
 */
export type FallbackReason = 'behind' | 'unavailable' | 'conflict' | 'failed';

/** Follows what becomes of reads that may be stale. */
export interface StaleRead {
  /** A snapshot begins on the replica: it has everything that was committed `ageMs` ago. */
  began(ageMs: number): void;
  /** The primary is read. `error`: why the replica is not asked for some seconds. */
  fellBack(reason: FallbackReason, error?: unknown): void;
}

const READS = new FollowedValue<StaleRead>();

/** Runs `work`, of whose results nothing is written: its snapshots (Database.snapshot) may come from a replica, where there is one. */
export function mayBeStale<T>(read: StaleRead, work: () => T): T {
  return READS.run(read, work);
}

/** What follows the read that runs now; undefined: it may not be stale. */
export function currentStaleRead(): StaleRead | undefined {
  return READS.get();
}
