import type { Database } from '@constancia/persistence';
import { type Logger, PeriodicWork } from '@constancia/telemetry';

const EVERY_MS = 10 * 60_000;
const BATCH = 5_000;

/**
 * Removes Idempotency-Keys after their 24 hours. Every process of the module does it: the store's function skips the rows
 * that another one is removing.
 */
export class ExpiredIdempotencyKeys extends PeriodicWork {
  constructor(
    private readonly database: Database,
    private readonly schema: string,
    logger: Logger,
  ) {
    super({ name: 'forget-expired-keys', everyMs: EVERY_MS, logger });
  }

  override async run(signal: AbortSignal): Promise<void> {
    let removed: number;
    do {
      const sql = `select ${this.schema}.purge_idempotency_keys($1) as removed`;
      const [row] = await this.database.query<{ removed: number }>(sql, [BATCH]);
      removed = row?.removed ?? 0;
    } while (removed === BATCH && !signal.aborted);
  }
}
