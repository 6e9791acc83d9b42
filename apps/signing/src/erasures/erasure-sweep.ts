import { IndependentWork } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { Erasure } from './erasure.ts';

const EVERY_MS = 15_000;
const AT_ONCE = 50;

/** Finishes erasures that waited for a seal. Every process does it; what was done already is left as it is. */
@Injectable()
export class ErasureSweep extends PeriodicWork {
  constructor(
    private readonly database: Database,
    private readonly erasure: Erasure,
    logger: Logger,
  ) {
    super({ name: 'erasure-sweep', everyMs: EVERY_MS, logger });
  }

  override async run(): Promise<void> {
    const sql = 'select tenant_id, id from signing.unsettled_erasures($1)';
    const waiting = await this.database.query<{ tenant_id: string; id: string }>(sql, [AT_ONCE]);
    const work = new IndependentWork();
    for (const { tenant_id, id } of waiting) {
      await work.attempt(() => this.erasure.settle(tenant_id, id), { receipt_id: id });
    }
    work.throwFirstFailure();
  }
}
