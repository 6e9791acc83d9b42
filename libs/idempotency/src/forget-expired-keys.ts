import { PeriodicTask } from '@constancia/kernel';
import type { Database } from '@constancia/persistence';
import type { Logger } from '@constancia/telemetry';

const EVERY_MS = 10 * 60_000;
const BATCH = 5_000;

/**
 * Removes Idempotency-Keys after their 24 hours. Every process of the module does it: the store's function skips the rows
 * that another one is removing.
 */
export class ExpiredIdempotencyKeys {
  private readonly task: PeriodicTask;

  constructor(
    private readonly database: Database,
    private readonly schema: string,
    private readonly logger: Logger,
  ) {
    this.task = new PeriodicTask({
      ...{ name: 'forget-expired-keys', everyMs: EVERY_MS, logger },
      run: (signal) => this.forget(signal),
    });
  }

  start(): void {
    this.task.start();
  }

  close(): Promise<void> {
    return this.task.close();
  }

  /** Removes what has expired by now. Never throws: the next round tries again. */
  async forget(signal?: AbortSignal): Promise<void> {
    try {
      let removed: number;
      do {
        const sql = `select ${this.schema}.purge_idempotency_keys($1) as removed`;
        const [row] = await this.database.query<{ removed: number }>(sql, [BATCH]);
        removed = row?.removed ?? 0;
      } while (removed === BATCH && !signal?.aborted);
    } catch (error) {
      this.logger.warn({ err: error }, 'expired idempotency keys could not be removed');
    }
  }
}
