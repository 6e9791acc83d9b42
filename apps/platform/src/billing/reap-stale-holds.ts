import type { LedgerReader } from '@constancia/credit-ledger';
import type { Logger } from '@constancia/telemetry';

const EVERY_MS = 30_000;
/** What one call of the store's function takes at the most. */
const BATCH = 100;

/**
 * Gives back the credits of holds that nobody settled in time (the process that took them died). Every platform process does
 * it: the store's function settles a hold once, whoever calls it.
 */
export class StaleHolds {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly ledger: LedgerReader,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.timer = setInterval(() => (this.running = this.reap()), EVERY_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Releases what is stale now. Never throws: the next round tries again. */
  async reap(): Promise<void> {
    try {
      let reaped: number;
      do {
        reaped = await this.ledger.reapHolds();
        if (reaped > 0) this.logger.warn({ count: reaped }, 'stale holds released');
      } while (reaped === BATCH);
    } catch (error) {
      this.logger.warn({ err: error }, 'stale holds could not be released');
    }
  }
}
