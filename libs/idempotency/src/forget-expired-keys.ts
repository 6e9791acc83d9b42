import type { Database } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';

const EVERY_MS = 10 * 60_000;
const BATCH = 5_000;

/**
 * Removes Idempotency-Keys after their 24 hours. Every process of the module does it: the store's function skips the rows
 * that another one is removing.
 */
export class ExpiredIdempotencyKeys {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly schema: string,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.timer = setInterval(() => (this.running = this.forget()), EVERY_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Removes what has expired by now. Never throws: the next round tries again. */
  async forget(): Promise<void> {
    try {
      let removed: number;
      do {
        const sql = `select ${this.schema}.purge_idempotency_keys($1) as removed`;
        const [row] = await this.database.query<{ removed: number }>(sql, [BATCH]);
        removed = row?.removed ?? 0;
      } while (removed === BATCH);
    } catch (error) {
      this.logger.warn({ err: error }, 'expired idempotency keys could not be removed');
    }
  }
}
