import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { Deliveries } from './deliveries.ts';
import { Lanes } from './lanes.ts';

/** How often Postgres is asked for work: the timer of the retries, and the net under lost hints. */
const EVERY_MS = 250;
const ENDPOINTS = 5_000;
const CLOSED_DELIVERIES = 2_000;

/** Wakes the lane of every endpoint with work, and fails what waits for endpoints that were deleted. */
@Injectable()
export class DeliverySweep extends PeriodicWork {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly lanes: Lanes,
    logger: Logger,
  ) {
    super({ name: 'sweep', everyMs: EVERY_MS, logger, easesOff: true, runsAtStart: true });
  }

  override async run(): Promise<void> {
    const closed: string[] = [];
    for (const { endpoint_id, state } of await this.deliveries.dueEndpoints(ENDPOINTS)) {
      if (state === 'due') this.lanes.wake(endpoint_id);
      else closed.push(endpoint_id);
    }
    if (closed.length > 0) await this.deliveries.failClosed(closed, CLOSED_DELIVERIES);
  }
}
