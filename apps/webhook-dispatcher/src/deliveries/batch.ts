import type { ClaimedDelivery } from './deliveries.ts';
import type { DeliveryRun } from './delivery-run.ts';
import { FAILING_AFTER } from './endpoint-health.ts';

/** How many deliveries of one endpoint are under way at a time. */
export const AT_ONCE = 8;
/** After a claim no attempt begins later than this: with a whole attempt it still ends within the lease. */
export const START_WITHIN_MS = 8_000;

export interface BatchOptions {
  /** performance.now() when the claim was answered: the leases run since then, however long the batch waited for its turn. */
  claimedAtMs: number;
  /** Once it aborts no attempt begins. */
  signal: AbortSignal;
  /** Called when the last attempt has begun: the next batch can be fetched meanwhile. */
  onLastBegun?: () => void;
}

/** How a batch went: all, or only as far as it made sense; `internal-error`: something in this service is wrong. */
export type BatchEnd = 'all' | 'halted' | 'internal-error';

/**
 * Attempts claimed deliveries of one endpoint, AT_ONCE at a time, as long as it makes sense: not after several failures in a
 * row, not after the receiver asked for a pause, not when the lease is getting short. The rest is given back.
 */
export class Batch {
  private readonly startUntil: number;
  private readonly writes: Promise<void>[] = [];
  private nextIndex = 0;
  private failuresInRow = 0;
  private end: BatchEnd = 'all';

  constructor(
    private readonly deliveryRun: Pick<DeliveryRun, 'attempt' | 'release'>,
    private readonly claimed: ClaimedDelivery[],
    private readonly options: BatchOptions,
  ) {
    this.startUntil = options.claimedAtMs + START_WITHIN_MS;
  }

  /** Resolves when every attempt has ended; their results may still be on the way to the store: see `written`. */
  async run(): Promise<BatchEnd> {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, this.claimed.length) }, () => this.attemptOnes()));
    const rest = this.claimed.slice(this.nextIndex);
    for (const delivery of rest) this.writes.push(this.deliveryRun.release(delivery));
    return rest.length > 0 && this.end === 'all' ? 'halted' : this.end;
  }

  /** Resolves when every result is in the store, or lost with its lease. */
  async written(): Promise<void> {
    await Promise.all(this.writes);
  }

  private async attemptOnes(): Promise<void> {
    while (this.mayBegin()) {
      const delivery = this.claimed[this.nextIndex++] as ClaimedDelivery;
      const attempt = this.attempt(delivery);
      if (this.nextIndex === this.claimed.length && this.failuresInRow === 0) this.options.onLastBegun?.();
      await attempt;
    }
  }

  private mayBegin(): boolean {
    return (
      this.nextIndex < this.claimed.length &&
      this.end === 'all' &&
      !this.options.signal.aborted &&
      performance.now() < this.startUntil
    );
  }

  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const { result, written } = await this.deliveryRun.attempt(delivery);
    this.writes.push(written);
    if (result === 'internal-error') this.end = 'internal-error';
    else this.failuresInRow = result === 'delivered' ? 0 : this.failuresInRow + 1;
    const halts = result === 'pause' || this.failuresInRow >= FAILING_AFTER;
    if (halts && this.end === 'all') this.end = 'halted';
  }
}
