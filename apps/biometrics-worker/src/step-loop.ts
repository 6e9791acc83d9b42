import type { Logger } from '@constancia/telemetry';
import { type ClaimedRun, LEASE_SECONDS, type StepRuns } from './step-runs.ts';

/** Three chances within a lease. */
const EXTEND_EVERY_MS = (LEASE_SECONDS * 1_000) / 3;

export interface StepLoopOptions {
  runs: Pick<StepRuns, 'claim' | 'extend'>;
  /** Works on one run and writes what came of it. Never rejects. */
  carryOut: (run: ClaimedRun) => Promise<void>;
  /** Runs in hand at the most. */
  places: number;
  logger: Logger;
}

/** Claims runs while there are any and a place is free; a run that ended makes place for the next. */
export class StepLoop {
  private readonly inHand = new Map<string, ClaimedRun>();
  private readonly settled = new Set<Promise<void>>();
  private readonly leases: NodeJS.Timeout;
  private claiming: Promise<void> | undefined;
  private moreToClaim = false;
  private closed = false;

  constructor(private readonly options: StepLoopOptions) {
    this.leases = setInterval(() => void this.extendLeases(), EXTEND_EVERY_MS);
    this.leases.unref();
  }

  /** There may be work: claims what is due into the free places. Throws what the store throws. */
  async wake(): Promise<void> {
    this.moreToClaim = true;
    await this.claim();
  }

  /** Claims no more and lets what is in hand end. */
  async close(): Promise<void> {
    this.closed = true;
    await this.claiming?.catch(() => undefined);
    while (this.settled.size > 0) await Promise.all(this.settled);
    clearInterval(this.leases);
  }

  private claim(): Promise<void> {
    this.claiming ??= this.claimFree().finally(() => (this.claiming = undefined));
    return this.claiming;
  }

  private async claimFree(): Promise<void> {
    while (this.moreToClaim && !this.closed && this.inHand.size < this.options.places) {
      this.moreToClaim = false;
      const free = this.options.places - this.inHand.size;
      const claimed = await this.options.runs.claim(free);
      if (claimed.length === free) this.moreToClaim = true;
      for (const run of claimed) this.begin(run);
    }
  }

  private begin(run: ClaimedRun): void {
    this.inHand.set(run.lease_token, run);
    const work = this.options.carryOut(run).finally(() => {
      this.inHand.delete(run.lease_token);
      this.settled.delete(work);
      if (this.moreToClaim) this.claim().catch((error: unknown) => this.trouble(error));
    });
    this.settled.add(work);
  }

  private async extendLeases(): Promise<void> {
    const held = [...this.inHand.values()];
    if (held.length === 0) return;
    try {
      await this.options.runs.extend(held);
    } catch (error) {
      this.trouble(error);
    }
  }

  private trouble(error: unknown): void {
    this.options.logger.warn({ error }, 'the loop over steps has trouble with the store; the sweep goes on');
  }
}
