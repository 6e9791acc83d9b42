import { bogotaDay, IndependentWork } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Logger, Metrics, PeriodicWork } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { PaymentProvider, type PaymentSnapshot } from '../provider/payment-provider.ts';
import { LookUpPayments } from './look-up-payments.ts';
import { lockTopup, paymentsOf, SettlePayment } from './settle-payment.ts';
import { type Difference, DIFFERENCES } from './topup.entity.ts';

const EVERY_MS = 10 * 60_000;
const BATCH = 50;
/** A payment can be disputed for so long. */
const DAYS = 180;
const DAY_MS = 86_400_000;
/** Three at night in Bogotá, when payers sleep. */
const NIGHT = 'T03:00:00-05:00';

/**
 * Compares every top-up of the last months with what the provider says, once a night: what a lost callback should have announced is
 * settled and reported, and so is what no program can put right. A difference stays with its top-up until a later night finds none.
 */
@Injectable()
export class ComparePayments extends PeriodicWork {
  private readonly compared;

  constructor(
    private readonly database: Database,
    private readonly provider: PaymentProvider,
    private readonly lookUp: LookUpPayments,
    private readonly settlement: SettlePayment,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    super({ name: 'compare-payments', everyMs: EVERY_MS, logger });
    this.compared = metrics.counter('topups_compared_total', 'Top-ups that were compared with the provider');
    metrics.gauge(
      'topup_differences',
      'Top-ups that differ from their payments and wait for a person',
      ['difference'],
      async (gauge) => {
        const rows = await database.query<{ difference: Difference | null; topups: number }>(
          'select difference, topups from platform.topup_figures()',
        );
        for (const difference of DIFFERENCES) {
          gauge.set({ difference }, rows.find((row) => row.difference === difference)?.topups ?? 0);
        }
      },
    );
  }

  override async run(signal?: AbortSignal): Promise<void> {
    if (!this.provider.isConfigured) return;
    const before = lastNight(Date.now());
    const since = new Date(before.getTime() - DAYS * DAY_MS);
    const work = new IndependentWork();
    let claimed: { id: string; tenant_id: string }[];
    do {
      const claim = 'select * from platform.claim_topup_comparisons($1, $2, $3)';
      claimed = await this.database.query(claim, [BATCH, since, before]);
      for (const { id, tenant_id } of claimed) {
        if (signal?.aborted) break;
        await work.attempt(() => this.compare(tenant_id, id), { topup_id: id, tenant_id });
      }
    } while (claimed.length === BATCH && !signal?.aborted);
    work.throwFirstFailure();
  }

  private async compare(tenantId: string, topupId: string): Promise<void> {
    const { snapshots, credits } = await this.lookUp.ofTopup(tenantId, topupId, 'missed_callback');
    const missing = await this.missing(tenantId, topupId, snapshots);
    const difference = await this.database.tenant(tenantId, async (tx) => {
      const topup = await lockTopup(tx, topupId);
      if (!topup) return null;
      const [ledger] = await tx.query<{ credits: number }>(
        `select coalesce(sum(amount), 0)::bigint as credits from platform.credit_entry
          where ref_id = $1 and ref_type = 'topup' and tenant_id = $2`,
        [topupId, tenantId],
      );
      const found: Difference | null =
        ledger?.credits !== topup.applied_credits ? 'ledger_drift' : missing ? 'payment_missing' : null;
      const lasting = topup.difference === 'paid_twice' || topup.difference === 'amount_mismatch';
      const now = found ?? (lasting || credits !== 0 ? topup.difference : null);
      await tx.query('update platform.topup set difference = $2 where id = $1', [topupId, now]);
      return now;
    });
    this.compared.inc();
    if (difference !== null) {
      const about = { tenant_id: tenantId, topup_id: topupId, reason: difference };
      this.logger.error(about, 'a top-up differs from its payments: docs/guides/top-up.md says what to do');
    }
  }

  /** Whether a payment that was seen before is no longer found; one that the search left out is settled. */
  private async missing(tenantId: string, topupId: string, snapshots: readonly PaymentSnapshot[]): Promise<boolean> {
    const seen = await this.database.tenant(tenantId, (tx) => paymentsOf(tx, topupId));
    let missing = false;
    for (const { paymentId } of seen) {
      if (snapshots.some((snapshot) => snapshot.paymentId === paymentId)) continue;
      const snapshot = await this.provider.getPayment(paymentId);
      if (snapshot === null) missing = true;
      else await this.settlement.apply(tenantId, topupId, snapshot, 'missed_callback');
    }
    return missing;
  }
}

/** The newest three o'clock at night. */
export function lastNight(now: number): Date {
  const today = new Date(`${bogotaDay(now)}${NIGHT}`);
  return today.getTime() <= now ? today : new Date(today.getTime() - DAY_MS);
}
