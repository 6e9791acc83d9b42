import { PeriodicTask } from '@constancia/kernel';
import { type ConnectionOptions, Connections } from './connections.ts';
import { DatabaseUnavailableError, RoleWithoutLimitsError, sqlState } from './errors.ts';
import { type FallbackReason, MAX_STALENESS_SECONDS, type StaleRead } from './stale-read.ts';
import type { StatementMeter } from './statement-meter.ts';
import type { Tx } from './tx.ts';

/** How often the primary is asked how far its log is. */
const EVERY_MS = 1_000;
/** How long the replica is waited for until a transaction has begun there: the primary answers the request after that. */
const BEGIN_MS = 1_000;
/** How long it is not asked after it could not be reached. */
const PAUSE_MS = 5_000;

/** How far the log of the primary is, in bytes since its beginning. */
export const POSITION = `select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::int8 as position`;
/** A column: how far a standby has replayed that log; null where the server is none. */
const REPLAYED = `case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::int8 end as replayed`;

/** Serialization failures, which is what conflicts with recovery are reported as, and deadlocks. */
const CONFLICTS = new Set(['40001', '40P01']);

class ReplicaBehind extends Error {}

/**
 * A hot standby, or an address that leads to any of several. Each transaction there proves how old it is: positions of the primary's log are
 * noted with the time when they were read, and what a standby has replayed up to such a position has everything that was committed by then.
 * No clock but that of this process is asked, and a primary that commits nothing leaves no standby behind.
 */
export class Replica {
  private readonly connections: Connections;
  private readonly positions: PeriodicTask;
  /** Of the last MAX_STALENESS_SECONDS, ascending in time. */
  private seen: { at: number; position: number }[] = [];
  private pausedUntil = 0;

  /** @param position asks the primary (POSITION) */
  constructor(
    options: Omit<ConnectionOptions, 'limitsOfRole' | 'connectMs'>,
    private readonly position: () => Promise<number>,
  ) {
    this.connections = new Connections({ ...options, limitsOfRole: true, connectMs: BEGIN_MS });
    const run = () => this.notePosition();
    this.positions = new PeriodicTask({ name: 'note-log-position', everyMs: EVERY_MS, run, measured: false });
    this.positions.start();
    this.positions.wake();
  }

  /**
   * Runs a read-only transaction there, and answers what it resolves to. undefined: the primary has to be read, because the replica is too
   * old, unavailable, or failed; `work` may have run in part. Throws what `work` throws of itself, and DatabaseUnavailableError (`too_slow`).
   */
  async read<T>(
    { begin, meter, read }: { begin: string; meter: StatementMeter | undefined; read: StaleRead },
    work: (tx: Tx) => Promise<T>,
  ): Promise<{ value: T } | undefined> {
    if (performance.now() < this.pausedUntil) return void read.fellBack('unavailable');
    let [hasBegun, hasFailed] = [false, false];
    const begun = ({ replayed }: Record<string, unknown>) => {
      read.began(this.ageMs(replayed as number | null));
      hasBegun = true;
    };
    try {
      const failed = () => void (hasFailed = true);
      const beginning = { sql: `${begin}, ${REPLAYED}`, meter, silenceMs: BEGIN_MS, begun, failed };
      return { value: await this.connections.unit(beginning, work) };
    } catch (error) {
      const reason = reasonFor(error, { hasBegun, hasFailed });
      if (reason === undefined) throw error;
      const isPause = reason === 'unavailable';
      if (isPause) this.pausedUntil = performance.now() + PAUSE_MS;
      return void read.fellBack(reason, isPause ? error : undefined);
    }
  }

  async close(): Promise<void> {
    await this.positions.close();
    await this.connections.close();
  }

  private async notePosition(): Promise<void> {
    const at = performance.now();
    const position = await this.position();
    this.seen = [...this.seen.filter((one) => at - one.at <= MAX_STALENESS_SECONDS * 1_000), { at, position }];
  }

  /** How old a standby is that has replayed so much. Throws ReplicaBehind for one that is older than allowed, or not known to be younger. */
  private ageMs(replayed: number | null): number {
    const known = replayed === null ? undefined : this.seen.findLast(({ position }) => position <= replayed);
    const ageMs = performance.now() - (known?.at ?? -Infinity);
    if (ageMs > MAX_STALENESS_SECONDS * 1_000) throw new ReplicaBehind();
    return ageMs;
  }
}

/** Why the primary should be read after an error; undefined: the error is the caller's, or of another server that its work asked. */
function reasonFor(
  error: unknown,
  { hasBegun, hasFailed }: Record<'hasBegun' | 'hasFailed', boolean>,
): FallbackReason | undefined {
  if (error instanceof ReplicaBehind) return 'behind';
  const isUnreachable = error instanceof DatabaseUnavailableError && error.reason === 'unreachable';
  // No connection could be made, or none that may be used.
  if (!hasBegun && (isUnreachable || error instanceof RoleWithoutLimitsError)) return 'unavailable';
  if (!hasFailed) return undefined;
  // A connection that is lost later may have been ended for what had to be replayed, and others may work.
  if (isUnreachable) return 'failed';
  const state = sqlState(error);
  if (state === undefined) return undefined;
  return CONFLICTS.has(state) ? 'conflict' : 'failed'; // such as a table that the standby does not have yet
}
