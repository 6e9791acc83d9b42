import type { Database } from '@constancia/persistence';
import { type Logger, PeriodicWork } from '@constancia/telemetry';

const EVERY_MS = 60_000;
const BATCH = 100;
/** An embed session is shown to its tenant for so long after it expired. */
const SHOWN_DAYS = 30;

/** Deletes embed sessions that expired long ago. Every process of the module does it: the store skips the rows that another one is deleting. */
export class OldEmbedSessions extends PeriodicWork {
  constructor(
    private readonly database: Database,
    private readonly schema: string,
    logger: Logger,
  ) {
    super({ name: 'old-embed-sessions', everyMs: EVERY_MS, logger });
  }

  override async run(signal: AbortSignal): Promise<void> {
    let deleted: number;
    do {
      const sql = `select ${this.schema}.delete_embed_sessions($1, $2) as deleted`;
      const [row] = await this.database.query<{ deleted: number }>(sql, [BATCH, SHOWN_DAYS]);
      deleted = row?.deleted ?? 0;
    } while (deleted === BATCH && !signal.aborted);
  }
}
