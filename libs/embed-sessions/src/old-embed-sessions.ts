import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { EmbedKinds } from './embed-kinds.ts';
import type { EmbedTargets } from './embed-targets.ts';
import { embedNames } from './schema.ts';

const EVERY_MS = 60_000;
const BATCH = 100;
/** An embed session is shown to its tenant for so long after it expired. */
const SHOWN_DAYS = 30;

/** Deletes embed sessions that expired long ago. Every process of the module does it: the store skips the rows that another one is deleting. */
@Injectable()
export class OldEmbedSessions extends PeriodicWork {
  constructor(
    private readonly kinds: EmbedKinds,
    logger: Logger,
  ) {
    super({ name: 'old-embed-sessions', everyMs: EVERY_MS, logger });
  }

  override async run(signal: AbortSignal): Promise<void> {
    for (const targets of this.kinds.all) await this.removeOld(targets, signal);
  }

  private async removeOld({ database, schema, prefix }: EmbedTargets, signal: AbortSignal): Promise<void> {
    const sql = `select ${embedNames(schema, prefix).remove}($1, $2) as deleted`;
    let deleted: number;
    do {
      const [row] = await database.query<{ deleted: number }>(sql, [BATCH, SHOWN_DAYS]);
      deleted = row?.deleted ?? 0;
    } while (deleted === BATCH && !signal.aborted);
  }
}
