import { typeId } from '@constancia/kernel';
import { emitEvent, type EventRecord, eventRecord, hintDeliveries } from '@constancia/events';
import { Database, type Tx } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { Logger, Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import type { PaymentSnapshot } from '../provider/payment-provider.ts';
import { rateText } from '../trm/decimal.ts';
import type { TopupPayment } from './topup-payment.entity.ts';
import {
  isMismatched,
  isNewer,
  isPaidTwice,
  isWaiting,
  type SeenPayment,
  statusOf,
  target,
  targetOf,
} from './topup-state.ts';
import { type Difference, Topup } from './topup.entity.ts';

/** What a snapshot changed: credits are signed, 0 when the balance stays. */
export interface Settled {
  isNew: boolean;
  credits: number;
}

const NOTHING: Settled = { isNew: false, credits: 0 };
/** After the checkout has expired, a payment may still arrive for so long. */
const LATE_MS = 60 * 60_000;
/** Cash and bank transfers that nobody paid are given up by the provider long before. */
const GIVEN_UP_MS = 30 * 24 * 60 * 60_000;
/** A lost callback is found by the next look: every five minutes, by a sweep of each minute. */
export const CHECK_EVERY_MS = 5 * 60_000;

/**
 * Brings the balance to what a snapshot of a payment says, in one transaction: the top-up's row is locked, a snapshot that is not newer
 * than what was seen is ignored, and the ledger gets one entry for the difference. So snapshots may be repeated, reordered and applied
 * by any number of processes at once: the end is the same.
 */
@Injectable()
export class SettlePayment {
  private readonly credited;

  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
    private readonly queues: Queues,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.credited = metrics.counter('topup_credits_total', 'Credits that payments moved', ['kind']);
  }

  /** @param find why a change would be a difference: what a callback should have announced before */
  async apply(tenantId: string, topupId: string, snapshot: PaymentSnapshot, found?: Difference): Promise<Settled> {
    if (this.config.environment === 'production' && !snapshot.live) {
      this.logger.warn({ tenant_id: tenantId, topup_id: topupId }, 'a test payment is not credited in production');
      return NOTHING;
    }
    const events: EventRecord[] = [];
    const settled = await this.database.tenant(tenantId, async (tx) => {
      events.length = 0; // the transaction may run again
      return this.settle(tx, { tenantId, topupId }, snapshot, found, events);
    });
    if (settled.credits !== 0) {
      this.credited.inc({ kind: settled.credits > 0 ? 'topup' : 'reversal' }, Math.abs(settled.credits));
      hintDeliveries(this.queues, events);
    }
    return settled;
  }

  private async settle(
    tx: Tx,
    { tenantId, topupId }: { tenantId: string; topupId: string },
    snapshot: PaymentSnapshot,
    found: Difference | undefined,
    events: EventRecord[],
  ): Promise<Settled> {
    const topup = await lockTopup(tx, topupId);
    if (!topup) return NOTHING;
    const payments = await paymentsOf(tx, topupId);
    const before = payments.find(({ paymentId }) => paymentId === snapshot.paymentId);
    if (!isNewer(snapshot, before)) return NOTHING;
    await keepPayment(tx, tenantId, topupId, snapshot);
    const seen = [...payments.filter((payment) => payment !== before), snapshot];
    const delta = targetOf(seen, topup) - topup.applied_credits;
    const difference = differenceOf(seen, topup) ?? (delta !== 0 ? found : undefined) ?? lasting(topup.difference);
    await updateTopup(tx, topup, seen, difference);
    if (delta === 0) return { isNew: true, credits: 0 };
    const balance = await post(tx, topup, delta, `${snapshot.paymentId} ${snapshot.status}`);
    const event = eventRecord(factsOf(topup, snapshot, seen, delta, balance));
    await emitEvent(tx, event);
    events.push(event);
    return { isNew: true, credits: delta };
  }
}

/** The top-up of the transaction's tenant, locked until its end. */
export async function lockTopup(tx: Tx, topupId: string): Promise<Topup | undefined> {
  const [row] = await tx.query<Topup>('select * from platform.topup where id = $1 for update', [topupId]);
  return row;
}

/** What was seen of the payments of a top-up. */
export async function paymentsOf(tx: Tx, topupId: string): Promise<SeenPayment[]> {
  const rows = await tx.query<TopupPayment>('select * from platform.topup_payment where topup_id = $1', [topupId]);
  return rows.map((row) => ({
    paymentId: row.payment_id,
    status: row.status,
    statusDetail: row.status_detail,
    currency: row.currency,
    amountCents: row.amount_cents,
    refundedCents: row.refunded_cents,
    updatedAt: row.provider_updated_at,
  }));
}

async function keepPayment(tx: Tx, tenantId: string, topupId: string, snapshot: PaymentSnapshot): Promise<void> {
  const { paymentId, status, statusDetail, currency, amountCents, refundedCents, updatedAt } = snapshot;
  await tx.query(
    `insert into platform.topup_payment
       (tenant_id, topup_id, payment_id, status, status_detail, currency, amount_cents, refunded_cents, provider_updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (topup_id, payment_id) do update
       set status = excluded.status, status_detail = excluded.status_detail, currency = excluded.currency,
           amount_cents = excluded.amount_cents, refunded_cents = excluded.refunded_cents,
           provider_updated_at = excluded.provider_updated_at, seen_at = now()`,
    [tenantId, topupId, paymentId, status, statusDetail, currency, amountCents, refundedCents, updatedAt],
  );
}

function differenceOf(payments: readonly SeenPayment[], topup: Topup): Difference | undefined {
  if (isPaidTwice(payments, topup)) return 'paid_twice';
  return isMismatched(payments, topup) ? 'amount_mismatch' : undefined;
}

/** What payments alone decide has ended when they no longer say so; what a comparison found, another one ends. */
const lasting = (known: Difference | null): Difference | null =>
  known === 'paid_twice' || known === 'amount_mismatch' ? null : known;

/** Writes the state that follows from the payments, and when to look at the provider next. */
export async function updateTopup(
  tx: Tx,
  topup: Topup,
  payments: readonly SeenPayment[],
  difference: Difference | null,
): Promise<void> {
  const now = Date.now();
  const status = statusOf(payments, topup, { isExpired: topup.expires_at.getTime() <= now });
  const until = isWaiting(payments) ? topup.created_at.getTime() + GIVEN_UP_MS : topup.expires_at.getTime() + LATE_MS;
  const waits = targetOf(payments, topup) === 0 && status !== 'reversed' && now < until;
  await tx.query(
    `update platform.topup set status = $2, difference = $3, check_at = $4, updated_at = now(),
            credited_at = coalesce(credited_at, case when $5 then now() end) where id = $1`,
    [topup.id, status, difference, waits ? new Date(now + CHECK_EVERY_MS) : null, targetOf(payments, topup) > 0],
  );
}

async function post(tx: Tx, topup: Topup, delta: number, reason: string): Promise<number> {
  const [entry] = await tx.query<{ balance_after: number }>(
    'select balance_after from platform.post_topup($1, $2, $3, $4)',
    [topup.tenant_id, topup.id, delta, reason],
  );
  return (entry as { balance_after: number }).balance_after;
}

function factsOf(
  topup: Topup,
  { paymentId, status }: PaymentSnapshot,
  payments: readonly SeenPayment[],
  delta: number,
  balanceAfter: number,
) {
  const paying = payments.find((payment) => target(payment, topup) > 0)?.paymentId ?? paymentId;
  return {
    tenantId: topup.tenant_id,
    module: 'billing' as const,
    type: delta > 0 ? 'credits.balance.credited' : 'credits.balance.reversed',
    payload: {
      topup_id: typeId('top', topup.id),
      amount_credits: Math.abs(delta),
      amount_cop: topup.amount_cop,
      trm_used: rateText(topup.trm),
      payment_id: delta > 0 ? paying : paymentId,
      balance_after: balanceAfter,
      ...(delta < 0 && { reason: status === 'charged_back' ? 'charged_back' : 'refunded' }),
      external_ref: topup.external_ref,
      metadata: topup.metadata,
    },
  };
}
