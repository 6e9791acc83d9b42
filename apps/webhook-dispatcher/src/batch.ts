import type { Logger } from '@constancia/telemetry';
import type { Attempts } from './attempt.ts';
import type { ClaimedDelivery, Deliveries } from './deliveries.ts';
import type { DispatcherMetrics } from './metrics.ts';
import { outcomeOf } from './outcome.ts';
import { FAILING_AFTER, type EndpointHealth } from './endpoint-health.ts';

/** How many deliveries of one endpoint are under way at a time. */
export const AT_ONCE = 8;
/** After a claim no attempt begins later than this: with a whole attempt it still ends within the lease. */
export const START_WITHIN_MS = 8_000;

/** What a batch works with. */
export interface BatchParts {
  deliveries: Deliveries;
  attempts: Pick<Attempts, 'make'>;
  temper: EndpointHealth;
  metrics: DispatcherMetrics;
  logger: Logger;
  /** In [0, 1): the jitter of retries. */
  random: () => number;
  signal: AbortSignal;
}

export interface BatchOptions {
  /** performance.now() when the claim was answered: the leases run since then, however long the batch waited for its turn. */
  claimedAtMs: number;
  /** Called when the last attempt has begun: the next batch can be fetched meanwhile. */
  onLastBegun?: () => void;
}

/** How a batch went: all, or only as far as it made sense; `trouble`: something of our own is wrong. */
export type BatchEnd = 'all' | 'halted' | 'trouble';

/**
 * Attempts claimed deliveries of one endpoint, AT_ONCE at a time, as long as it makes sense: not after several failures in a
 * row, not after the receiver asked for a pause, not when the lease is getting short. The rest is given back.
 */
export class Batch {
  private readonly startUntil: number;
  private readonly onLastBegun: (() => void) | undefined;
  private readonly writes: Promise<void>[] = [];
  private nextIndex = 0;
  private failuresInRow = 0;
  private end: BatchEnd = 'all';

  constructor(
    private readonly parts: BatchParts,
    private readonly claimed: ClaimedDelivery[],
    options: BatchOptions,
  ) {
    this.startUntil = options.claimedAtMs + START_WITHIN_MS;
    this.onLastBegun = options.onLastBegun;
  }

  /** Resolves when every attempt has ended; their results may still be on the way to the store: see `written`. */
  async run(): Promise<BatchEnd> {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, this.claimed.length) }, () => this.attemptOnes()));
    const rest = this.claimed.slice(this.nextIndex);
    for (const delivery of rest) this.write(this.parts.deliveries.release(delivery));
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
      if (this.nextIndex === this.claimed.length && this.failuresInRow === 0) this.onLastBegun?.();
      await attempt;
    }
  }

  private mayBegin(): boolean {
    return (
      this.nextIndex < this.claimed.length &&
      this.end === 'all' &&
      !this.parts.signal.aborted &&
      performance.now() < this.startUntil
    );
  }

  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const { deliveries, attempts, temper, metrics, logger, random } = this.parts;
    try {
      const posted = await attempts.make(delivery);
      const outcome = outcomeOf(posted, delivery.schedule_step, random(), Date.now());
      const delivered = outcome.outcome === 'delivered';
      temper.note(delivery.endpoint_id, delivered, posted.durationMs);
      metrics.attempted(delivery, posted, outcome.outcome);
      this.write(deliveries.record(delivery, posted, outcome));
      this.failuresInRow = delivered ? 0 : this.failuresInRow + 1;
      if (outcome.gone || outcome.pauseMs !== null || this.failuresInRow >= FAILING_AFTER) this.halt('halted');
    } catch (error) {
      logger.error({ delivery_id: delivery.delivery_id, error }, 'an attempt could not be made');
      this.write(deliveries.release(delivery));
      this.halt('trouble');
    }
  }

  private halt(end: BatchEnd): void {
    if (this.end !== 'trouble') this.end = end;
  }

  private write(write: Promise<boolean>): void {
    const { logger, metrics } = this.parts;
    this.writes.push(
      write.then(
        (ours) => metrics.fenced(ours ? 0 : 1),
        // The attempt is made again once its lease has ended.
        (error: unknown) => logger.warn({ error }, 'a result could not be written'),
      ),
    );
  }
}
