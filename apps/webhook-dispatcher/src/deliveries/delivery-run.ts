import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { Attempts } from './attempt.ts';
import { type ClaimedDelivery, Deliveries } from './deliveries.ts';
import { EndpointHealth } from './endpoint-health.ts';
import { DispatcherMetrics } from './metrics.ts';
import { outcomeOf } from './outcome.ts';
import { RetryJitter } from './retry-jitter.ts';

/** How an attempt ended. */
export interface AttemptEnd {
  /** `pause`: the receiver is gone or asks for a pause. `internal-error`: nothing was sent. */
  result: 'delivered' | 'failed' | 'pause' | 'internal-error';
  /** Resolves when the result is in the store, or lost with its lease. */
  written: Promise<void>;
}

/** Attempts one claimed delivery and hands what came of it to the store. */
@Injectable()
export class DeliveryRun {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly attempts: Attempts,
    private readonly health: EndpointHealth,
    private readonly metrics: DispatcherMetrics,
    private readonly logger: Logger,
    private readonly jitter: RetryJitter,
  ) {}

  /** Resolves when the attempt has ended; its result may still be on the way to the store. Never rejects. */
  async attempt(delivery: ClaimedDelivery): Promise<AttemptEnd> {
    try {
      const posted = await this.attempts.make(delivery);
      const outcome = outcomeOf(posted, delivery.schedule_step, this.jitter.next(), Date.now());
      const delivered = outcome.outcome === 'delivered';
      this.health.note(delivery.endpoint_id, delivered, posted.durationMs);
      this.metrics.attempted(delivery, posted, outcome.outcome);
      const written = this.written(this.deliveries.record(delivery, posted, outcome));
      if (delivered) return { result: 'delivered', written };
      return { result: outcome.gone || outcome.pauseMs !== null ? 'pause' : 'failed', written };
    } catch (error) {
      this.logger.error({ delivery_id: delivery.delivery_id, error }, 'an attempt could not be made');
      return { result: 'internal-error', written: this.release(delivery) };
    }
  }

  /** Gives a delivery back that was not attempted. */
  release(delivery: ClaimedDelivery): Promise<void> {
    return this.written(this.deliveries.release(delivery));
  }

  private async written(write: Promise<boolean>): Promise<void> {
    try {
      this.metrics.fenced((await write) ? 0 : 1);
    } catch (error) {
      this.logger.warn({ error }, 'a result could not be written'); // the attempt is made again once its lease has ended
    }
  }
}
