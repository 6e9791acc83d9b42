import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { Deliveries } from './deliveries.ts';
import { DispatcherMetrics } from './metrics.ts';

const EVERY_MS = 15_000;

/** Measures how far the deliveries are behind. */
@Injectable()
export class DeliveryLag extends PeriodicWork {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly metrics: DispatcherMetrics,
    logger: Logger,
  ) {
    super({ name: 'lag', everyMs: EVERY_MS, logger, easesOff: true, runsAtStart: true });
  }

  override async run(): Promise<void> {
    this.metrics.lag(await this.deliveries.lag());
  }
}
