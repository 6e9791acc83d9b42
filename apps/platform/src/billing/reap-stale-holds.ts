import type { LedgerReader } from '@constancia/credit-ledger';
import { PeriodicTask } from '@constancia/kernel';
import type { Logger } from '@constancia/telemetry';

const EVERY_MS = 30_000;
/** What one call of the store's function takes at the most. */
const BATCH = 100;

/**
 * Gives back the credits of holds that nobody settled in time (the process that took them died). Every platform process does
 * it: the store's function settles a hold once, whoever calls it.
 */
export class StaleHolds {
  private readonly task: PeriodicTask;

  constructor(
    private readonly ledger: LedgerReader,
    private readonly logger: Logger,
  ) {
    this.task = new PeriodicTask({
      ...{ name: 'reap-stale-holds', everyMs: EVERY_MS, logger },
      run: (signal) => this.reap(signal),
    });
  }

  start(): void {
    this.task.start();
  }

  close(): Promise<void> {
    return this.task.close();
  }

  /** Releases what is stale now. Never throws: the next round tries again. */
  async reap(signal?: AbortSignal): Promise<void> {
    try {
      let reaped: number;
      do {
        reaped = await this.ledger.reapHolds();
        if (reaped > 0) this.logger.warn({ count: reaped }, 'stale holds released');
      } while (reaped === BATCH && !signal?.aborted);
    } catch (error) {
      this.logger.warn({ err: error }, 'stale holds could not be released');
    }
  }
}
