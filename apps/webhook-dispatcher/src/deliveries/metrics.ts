import { uuidTime } from '@constancia/kernel';
import { Metrics, SECONDS } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import type { ClaimedDelivery } from './deliveries.ts';
import type { Outcome } from './outcome.ts';
import type { Posted } from './post.ts';

/** With the bound of what is promised: docs/slos.md. */
const FIRST_ATTEMPT_SECONDS = [...SECONDS, 2].toSorted((a, b) => a - b);

/** The metrics of the dispatcher. */
@Injectable()
export class DispatcherMetrics {
  private readonly byResult;
  private readonly firstAttempt;
  private readonly lostLeases;
  private readonly oldest;
  private readonly overdue;
  private readonly open;

  constructor(metrics: Metrics) {
    const attempts = metrics.counter('delivery_attempts_total', 'Attempts at webhook deliveries', ['result']);
    const duration = metrics.histogram('delivery_attempt_seconds', 'Time that receivers take', ['result']);
    const of = (result: Outcome['outcome']) => ({ count: attempts.labels(result), duration: duration.labels(result) });
    this.byResult = { delivered: of('delivered'), retry: of('retry'), failed: of('failed') };
    this.firstAttempt = metrics.histogram(
      'delivery_first_attempt_seconds',
      'From the event to its first attempt',
      [],
      FIRST_ATTEMPT_SECONDS,
    );
    this.lostLeases = metrics.counter('delivery_leases_lost_total', 'Results dropped because the lease had ended');
    this.oldest = metrics.gauge('delivery_oldest_undelivered_seconds', 'Age of the oldest delivery that is open');
    this.overdue = metrics.gauge(
      'outbox_lag_seconds',
      'How long the most overdue delivery has been waiting to be sent',
    );
    this.open = metrics.gauge('deliveries_open', 'Deliveries that are neither delivered nor failed');
  }

  attempted(delivery: ClaimedDelivery, posted: Posted, result: Outcome['outcome']): void {
    this.byResult[result].count.inc();
    this.byResult[result].duration.observe(posted.durationMs / 1_000);
    if (delivery.attempts > 0 || delivery.waited) return; // how long it waited for its endpoint is not our delay
    this.firstAttempt.observe(Math.max(0, posted.at.getTime() - uuidTime(delivery.delivery_id).getTime()) / 1_000);
  }

  fenced(count: number): void {
    if (count > 0) this.lostLeases.inc(count);
  }

  lag(lag: { oldestSeconds: number; overdueSeconds: number; open: number }): void {
    this.oldest.set(lag.oldestSeconds);
    this.overdue.set(lag.overdueSeconds);
    this.open.set(lag.open);
  }
}
