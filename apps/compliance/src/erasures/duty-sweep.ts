import { IndependentWork } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { Erasure } from './erasure.ts';

const EVERY_MS = 10 * 60_000;
const BATCH = 100;

/** Destroys the keys of what was blocked, once the legal duty is over. Every process does it; a receipt ends once. */
@Injectable()
export class DutySweep extends PeriodicWork {
  constructor(
    private readonly database: Database,
    private readonly erasure: Erasure,
    logger: Logger,
  ) {
    super({ name: 'duty-sweep', everyMs: EVERY_MS, logger });
  }

  override async run(): Promise<void> {
    const sql = 'select tenant_id, id from compliance.ended_duties($1)';
    const due = await this.database.query<{ tenant_id: string; id: string }>(sql, [BATCH]);
    const work = new IndependentWork();
    for (const { tenant_id, id } of due) {
      await work.attempt(() => this.erasure.endDuty(tenant_id, id), { receipt_id: id });
    }
    work.throwFirstFailure();
  }
}
