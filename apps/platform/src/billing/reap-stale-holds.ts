import { LedgerReader } from '@constancia/credit-ledger';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';

const EVERY_MS = 30_000;
/** What one call of the store's function takes at most. */
const BATCH = 100;

/**
 * Gives back the credits of holds that nobody settled in time (the process that took them died). Every platform process does
 * it: the store's function settles a hold once, regardless of the caller.
 */
@Injectable()
export class StaleHolds extends PeriodicWork {
  constructor(
    private readonly ledger: LedgerReader,
    private readonly logger: Logger,
  ) {
    super({ name: 'reap-stale-holds', everyMs: EVERY_MS, logger });
  }

  override async run(signal?: AbortSignal): Promise<void> {
    let reaped: number;
    do {
      reaped = await this.ledger.reapHolds();
      if (reaped > 0) this.logger.warn({ count: reaped }, 'stale holds released');
    } while (reaped === BATCH && !signal?.aborted);
  }
}
