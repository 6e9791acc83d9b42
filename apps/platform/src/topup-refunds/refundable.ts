import { typeId } from '@constancia/kernel';
import { StateConflict } from '@constancia/problem-json';
import type { SeenPayment } from '../billing/topup/topup-state.ts';
import type { Topup } from '../billing/topup/topup.entity.ts';

/** Statuses of a payment whose money is ours and can be given back. */
const HOLDS_MONEY = ['approved', 'in_mediation'];

/** What is left of a payment, in hundredths. */
export const leftOf = ({ status, amountCents, refundedCents }: SeenPayment): number =>
  HOLDS_MONEY.includes(status) ? Math.max(0, amountCents - refundedCents) : 0;

/** The payment that is to be given back: the one that is named, or the only one that holds money. Throws StateConflict. */
export function paymentToRefund(topup: Topup, payments: readonly SeenPayment[], named?: string): SeenPayment {
  const holding = payments.filter((payment) => leftOf(payment) > 0);
  const found = named === undefined ? holding : holding.filter(({ paymentId }) => paymentId === named);
  const [payment, other] = found;
  const id = typeId('top', topup.id);
  if (!payment) {
    const which =
      named === undefined ? `No payment of ${id} holds money` : `${id} has no payment ${named} that holds money`;
    throw new StateConflict(`${which}: there is nothing to give back.`);
  }
  if (other) {
    const ids = holding.map(({ paymentId }) => paymentId).join(', ');
    throw new StateConflict(`Several payments of ${id} hold money (${ids}): say which one with payment_id.`);
  }
  return payment;
}

/** How much is given back, in hundredths. Throws StateConflict when the payment has not so much left. */
export function amountToRefund(payment: SeenPayment, amountCop?: number): { amount_cents: number; is_rest: boolean } {
  const left = leftOf(payment);
  const cents = amountCop === undefined ? left : amountCop * 100;
  if (cents <= left) return { amount_cents: cents, is_rest: cents === left };
  throw new StateConflict(`Payment ${payment.paymentId} has ${left / 100} COP left: give back that much at most.`);
}

/** What an amount is worth at the rate of the top-up, rounded up. */
export function creditsOf({ amount_cop, amount_credits }: Topup, cents: number): number {
  const quoted = BigInt(amount_cop) * 100n;
  return Number((BigInt(amount_credits) * BigInt(cents) + quoted - 1n) / quoted);
}
