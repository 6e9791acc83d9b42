import { isUuid, sameActor, typeId, uuidv7 } from '@constancia/kernel';
import { Database, recordAct, type Tx } from '@constancia/persistence';
import { Forbidden, NotFound, StateConflict } from '@constancia/problem-json';
import type { OpsCaller } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { Not } from 'typeorm';
import { PlatformConfig } from '../config.ts';
import { exceedsGrantLimit } from '../ops/grant-limit.ts';
import { PaymentProvider } from '../billing/provider/payment-provider.ts';
import { LookUpPayments } from '../billing/topup/look-up-payments.ts';
import { lockTopup, paymentsOf } from '../billing/topup/settle-payment.ts';
import type { Topup } from '../billing/topup/topup.entity.ts';
import type { RefundRow } from './refund-rows.ts';
import { amountToRefund, creditsOf, leftOf, paymentToRefund } from './refundable.ts';
import { TopupRefund } from './topup-refund.entity.ts';

/** How long a second operator has. */
const APPROVAL_HOURS = 72;

/** What an operator asks for. */
export interface RefundOrder {
  tenantId: string;
  topupId: string;
  /** Undefined: everything that is left. */
  amountCop: number | undefined;
  /** Undefined: the only payment that holds money. */
  paymentId: string | undefined;
  /** A top-up is refunded once per reference. */
  reference: string;
  reason: string;
}

/**
 * Refunds by operators. What is decided is written down before the provider is asked, with the row's id as the provider's idempotency key:
 * a request that is repeated, after a crash or at the same time by two operators, refunds once. Credits are reversed by the look-up that
 * follows, as for every other change of a payment.
 */
@Injectable()
export class TopupRefunds {
  constructor(
    private readonly config: PlatformConfig,
    private readonly database: Database,
    private readonly provider: PaymentProvider,
    private readonly lookUp: LookUpPayments,
  ) {}

  /**
   * Decides on a refund, or answers what was decided for the same reference: `pending` when another operator has to approve. Throws
   * PaymentProviderUnavailable, StateConflict, Forbidden.
   */
  async decide(order: RefundOrder, caller: OpsCaller): Promise<TopupRefund> {
    await this.lookUp.ofTopup(order.tenantId, order.topupId);
    return this.database.tenant(order.tenantId, async (tx) => {
      const topup = await lockTopup(tx, order.topupId);
      if (!topup) throw new NotFound();
      return (await earlier(tx, order)) ?? this.write(tx, topup, order, caller);
    });
  }

  /** Sends a pending one that another operator requested. Repeated by the one who approved it, it is sent again. */
  async approve(id: string, reason: string, { name: operator, isPerson }: OpsCaller): Promise<RefundRow> {
    const found = await this.find(id);
    if (!isPerson) {
      throw new Forbidden('Approving needs a personal token (OPS_TOKENS_FILE): OPS_TOKEN does not identify you.');
    }
    if (sameActor(found.requested_by, operator)) {
      throw new Forbidden('You requested this refund yourself: another operator has to approve it.');
    }
    if (found.status === 'sending' || found.status === 'done') return found;
    const { tenant_id: tenantId, topup_id: topupId } = found;
    await this.lookUp.ofTopup(tenantId, topupId);
    await this.database.tenant(tenantId, async (tx) => {
      await lockTopup(tx, topupId);
      const payment = (await paymentsOf(tx, topupId)).find(({ paymentId }) => paymentId === found.payment_id);
      if (!payment || leftOf(payment) < found.amount_cents) {
        throw new StateConflict('The payment has less left than this refund: withdraw it, and request another one.');
      }
      await refuseWhileSending(tx, found);
      await end(tx, found, { status: 'sending', refunded_before_cents: payment.refundedCents }, operator);
      const data = { ...factsOf(found), reason, requested_by: found.requested_by };
      await recordAct(tx, { type: 'topup.refund_approved', operator, tenantId, data });
    });
    return this.find(id);
  }

  /** Ends a pending one: nothing is given back. */
  async withdraw(id: string, reason: string, operator: string): Promise<RefundRow> {
    const found = await this.find(id);
    const { tenant_id: tenantId } = found;
    await this.database.tenant(tenantId, async (tx) => {
      await end(tx, found, { status: 'withdrawn' }, operator);
      await recordAct(tx, { type: 'topup.refund_withdrawn', operator, tenantId, data: { ...factsOf(found), reason } });
    });
    return this.find(id);
  }

  /** Asks the provider, and settles what it then says of the payment. Throws PaymentProviderUnavailable: send it again. */
  async send(refund: RefundRow): Promise<void> {
    const { id, tenant_id: tenantId, topup_id: topupId, payment_id: paymentId, amount_cents, is_rest } = refund;
    if (refund.status !== 'sending') return;
    // The provider forgets keys after a while; what it gave back it does not forget.
    const known = await this.provider.getPayment(paymentId);
    if ((known?.refundedCents ?? 0) < refund.refunded_before_cents + amount_cents) {
      await this.provider.refund(paymentId, id, is_rest ? undefined : amount_cents / 100);
    }
    await this.lookUp.ofTopup(tenantId, topupId);
    await this.database.tenant(tenantId, (tx) =>
      tx.manager.update(TopupRefund, { tenant_id: tenantId, id, status: 'sending' }, { status: 'done' }),
    );
  }

  /** Throws NotFound. */
  async find(id: string): Promise<RefundRow> {
    const [row] = isUuid(id) ? await this.rows(id, null, 1) : [];
    if (!row) throw new NotFound('There is no refund with this id: GET /ops/topup-refunds lists those that wait.');
    return row;
  }

  /** One, or those that wait for an approval or for the provider, the newest first. */
  rows(id: string | null, before: string | null, limit: number): Promise<RefundRow[]> {
    return this.database.query<RefundRow>('select * from platform.ops_topup_refunds($1, $2, $3)', [id, before, limit]);
  }

  private async write(tx: Tx, topup: Topup, order: RefundOrder, caller: OpsCaller): Promise<TopupRefund> {
    const { tenantId, topupId, reference, reason } = order;
    const payment = paymentToRefund(topup, await paymentsOf(tx, topupId), order.paymentId);
    await refuseWhileSending(tx, { tenant_id: tenantId, topup_id: topupId, payment_id: payment.paymentId });
    const amount = amountToRefund(payment, order.amountCop);
    const credits = creditsOf(topup, amount.amount_cents);
    const waits = await exceedsGrantLimit(tx, caller.name, credits, this.config.opsGrantLimit);
    if (waits && !caller.isPerson) {
      const rule = `More than ${this.config.opsGrantLimit} credits in 24 hours need two operators`;
      throw new Forbidden(`${rule} with personal tokens (OPS_TOKENS_FILE): OPS_TOKEN does not identify you.`);
    }
    const now = new Date();
    const refund: TopupRefund = {
      ...{ id: uuidv7(), tenant_id: tenantId, topup_id: topupId, payment_id: payment.paymentId, reference, reason },
      ...{ ...amount, credits, refunded_before_cents: payment.refundedCents },
      ...{ requested_by: caller.name, requested_at: now },
      expires_at: new Date(now.getTime() + APPROVAL_HOURS * 3_600_000),
      ...{ status: waits ? 'pending' : 'sending', ended_by: null, ended_at: null },
    };
    await tx.manager.insert(TopupRefund, refund);
    const type = waits ? 'topup.refund_requested' : 'topup.refunded';
    await recordAct(tx, { type, operator: caller.name, tenantId, data: { ...factsOf(refund), reason } });
    return refund;
  }
}

/** What was decided for the same reference; one that nobody approved in time makes room. Throws StateConflict when it is another refund. */
async function earlier(tx: Tx, { tenantId, topupId, ...order }: RefundOrder): Promise<TopupRefund | undefined> {
  const where = {
    tenant_id: tenantId,
    topup_id: topupId,
    reference: order.reference,
    status: Not('withdrawn' as const),
  };
  const found = await tx.manager.findOneBy(TopupRefund, where);
  if (!found) return undefined;
  if (found.status === 'pending' && found.expires_at <= new Date()) {
    await end(tx, found, { status: 'withdrawn' }, 'system');
    return undefined;
  }
  const isSame =
    (order.paymentId === undefined || order.paymentId === found.payment_id) &&
    (order.amountCop === undefined ? found.is_rest : order.amountCop * 100 === found.amount_cents);
  if (isSame) return found;
  const known = `${found.amount_cents / 100} COP of payment ${found.payment_id} under this reference`;
  throw new StateConflict(`This top-up has a refund of ${known} already: give another reference for another refund.`);
}

/** While it is not known what the provider did with one refund, what is left of the payment is not known either. Throws StateConflict. */
async function refuseWhileSending(
  tx: Tx,
  { tenant_id, topup_id, payment_id }: Pick<TopupRefund, 'tenant_id' | 'topup_id' | 'payment_id'>,
): Promise<void> {
  const sending = await tx.manager.findOneBy(TopupRefund, { tenant_id, topup_id, payment_id, status: 'sending' });
  if (!sending) return;
  throw new StateConflict(
    `Refund ${sending.id} of this payment has no answer of the provider yet: repeat that one first (GET /ops/topup-refunds).`,
  );
}

async function end(
  tx: Tx,
  { tenant_id, id }: Pick<RefundRow, 'tenant_id' | 'id'>,
  columns: Partial<TopupRefund>,
  operator: string,
): Promise<void> {
  const ended = { ...columns, ended_by: operator, ended_at: new Date() };
  const { affected } = await tx.manager.update(TopupRefund, { tenant_id, id, status: 'pending' }, ended);
  if (affected) return;
  throw new StateConflict('This refund is no longer pending: it was approved or withdrawn.');
}

const factsOf = ({ id, topup_id, payment_id, reference, amount_cents, credits }: TopupRefund | RefundRow) => ({
  refund_id: id,
  topup_id: typeId('top', topup_id),
  ...{ payment_id, reference, amount_cop: amount_cents / 100, credits },
});
