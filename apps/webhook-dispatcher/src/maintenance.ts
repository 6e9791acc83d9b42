import { Database } from '@constancia/persistence';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { DispatcherConfig } from './config.ts';

const EVERY_MS = 10 * 60_000;
const DAYS_AHEAD = 7;
const PRUNE = 5_000;

/** Makes the coming days' partitions, drops those past retention, and prunes the deliveries of that time in small steps. */
@Injectable()
export class Maintenance extends PeriodicWork {
  constructor(
    private readonly database: Database,
    private readonly config: DispatcherConfig,
    logger: Logger,
  ) {
    super({ name: 'maintenance', everyMs: EVERY_MS, logger, easesOff: true, runsAtStart: true });
  }

  override async run(signal: AbortSignal): Promise<void> {
    const { retentionDays } = this.config;
    await this.database.query('select platform.maintain_partitions($1, $2)', [DAYS_AHEAD, retentionDays]);
    const sql = 'select platform.prune_deliveries($1, $2) as gone';
    while (!signal.aborted) {
      const [row] = await this.database.query<{ gone: number }>(sql, [retentionDays, PRUNE]);
      if ((row?.gone ?? 0) < PRUNE) return;
    }
  }
}
