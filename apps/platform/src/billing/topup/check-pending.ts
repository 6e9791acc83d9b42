import { IndependentWork } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Logger, Metrics, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { PaymentProvider } from '../provider/payment-provider.ts';
import { LookUpPayments } from './look-up-payments.ts';
import { CHECK_EVERY_MS } from './settle-payment.ts';

const EVERY_MS = 60_000;
const BATCH = 50;

/**
 * Finds payments whose callback was lost. Each top-up that may still be paid is looked up five minutes after the last look, so a payment
 * is credited within seven minutes however little the provider says. Every platform process does it; a claim keeps two from the same one.
 */
@Injectable()
export class CheckPending extends PeriodicWork {
  private readonly recovered;

  constructor(
    private readonly database: Database,
    private readonly provider: PaymentProvider,
    private readonly lookUp: LookUpPayments,
    logger: Logger,
    metrics: Metrics,
  ) {
    super({ name: 'check-pending-topups', everyMs: EVERY_MS, logger });
    this.recovered = metrics.counter('topups_recovered_total', 'Top-ups that were credited without a callback');
    metrics.gauge('topup_check_lag_seconds', 'Since when the oldest look at the provider is due', [], async (gauge) => {
      const rows = await database.query<{ difference: string | null; oldest_check_seconds: number }>(
        'select difference, oldest_check_seconds from platform.topup_figures()',
      );
      gauge.set(rows.find(({ difference }) => difference === null)?.oldest_check_seconds ?? 0);
    });
  }

  override async run(signal?: AbortSignal): Promise<void> {
    if (!this.provider.isConfigured) return;
    const work = new IndependentWork();
    let claimed: { id: string; tenant_id: string }[];
    do {
      claimed = await this.database.query('select * from platform.claim_topup_checks($1, $2)', [
        BATCH,
        `${CHECK_EVERY_MS} milliseconds`,
      ]);
      for (const { id, tenant_id } of claimed) {
        if (signal?.aborted) break;
        await work.attempt(() => this.check(tenant_id, id), { topup_id: id, tenant_id });
      }
    } while (claimed.length === BATCH && !signal?.aborted);
    work.throwFirstFailure();
  }

  private async check(tenantId: string, id: string): Promise<void> {
    const { credits } = await this.lookUp.ofTopup(tenantId, id);
    if (credits > 0) this.recovered.inc();
  }
}
