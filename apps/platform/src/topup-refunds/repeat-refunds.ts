import { IndependentWork } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Logger, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { PaymentProvider } from '../billing/provider/payment-provider.ts';
import { TopupRefunds } from './topup-refunds.ts';

const EVERY_MS = 5 * 60_000;
/** Longer than a request to the provider takes: the process that decided on a refund is sending it until then. */
const UNANSWERED_SECONDS = 120;
const BATCH = 20;

/**
 * Sends refunds again whose process ended, or lost the provider, before it knew the answer. Every platform process does it: the provider
 * carries out one key once.
 */
@Injectable()
export class RepeatRefunds extends PeriodicWork {
  constructor(
    private readonly database: Database,
    private readonly provider: PaymentProvider,
    private readonly refunds: TopupRefunds,
    logger: Logger,
  ) {
    super({ name: 'repeat-refunds', everyMs: EVERY_MS, logger });
  }

  override async run(signal?: AbortSignal): Promise<void> {
    if (!this.provider.isConfigured) return;
    const work = new IndependentWork();
    const sql = 'select id, tenant_id from platform.unanswered_refunds($1, $2)';
    const due = await this.database.query<{ id: string; tenant_id: string }>(sql, [UNANSWERED_SECONDS, BATCH]);
    for (const { id, tenant_id } of due) {
      if (signal?.aborted) break;
      await work.attempt(async () => this.refunds.send(await this.refunds.find(id)), { refund_id: id, tenant_id });
    }
    work.throwFirstFailure();
  }
}
