import type { PaymentSnapshot } from '../provider/payment-provider.ts';

export const TOPUP_STATUSES = [
  'pending',
  'credited',
  'rejected',
  'expired',
  'amount_mismatch',
  'part_reversed',
  'reversed',
] as const;
export type TopupStatus = (typeof TOPUP_STATUSES)[number];

/** What a payment has to be of. */
export interface Quoted {
  amount_cop: number;
  amount_credits: number;
}

/** What is kept of a payment. */
export type SeenPayment = Pick<
  PaymentSnapshot,
  'paymentId' | 'status' | 'statusDetail' | 'currency' | 'amountCents' | 'refundedCents' | 'updatedAt'
>;

/**
 * How far a payment has gone: of two snapshots with the same time the farther one is the newer. in_mediation: a dispute is open, and the
 * money is still ours.
 */
const PROGRESS: Record<string, number> = {
  pending: 0,
  in_process: 1,
  authorized: 1,
  rejected: 2,
  cancelled: 2,
  approved: 3,
  in_mediation: 4,
  charged_back: 5,
  refunded: 6,
};

const PAID = ['approved', 'in_mediation', 'charged_back', 'refunded'];
const WAITING = ['pending', 'in_process', 'authorized'];

/** Whether a snapshot says something newer than the one that was seen. The provider's clock decides, never the order of arrival. */
export function isNewer(snapshot: SeenPayment, seen: SeenPayment | undefined): boolean {
  if (seen === undefined) return true;
  const later = snapshot.updatedAt.getTime() - seen.updatedAt.getTime();
  if (later !== 0) return later > 0;
  const farther = progress(snapshot) - progress(seen);
  return farther !== 0 ? farther > 0 : snapshot.refundedCents > seen.refundedCents;
}

/** reimbursed: a dispute that was won, so it comes after the one that was open or lost. */
const progress = ({ status, statusDetail }: SeenPayment): number =>
  (PROGRESS[status] ?? -1) + (status === 'charged_back' && statusDetail === 'reimbursed' ? 0.5 : 0);

const isPaid = ({ status }: SeenPayment): boolean => PAID.includes(status);
const isOfQuote = ({ currency, amountCents }: SeenPayment, { amount_cop }: Quoted): boolean =>
  currency === 'COP' && amountCents === amount_cop * 100;

/** The credits that a payment is worth as it is now: the same for the same snapshot, whatever came before it. */
export function target(payment: SeenPayment, quoted: Quoted): number {
  if (!isPaid(payment) || !isOfQuote(payment, quoted) || payment.status === 'refunded') return 0;
  if (payment.status === 'charged_back' && payment.statusDetail !== 'reimbursed') return 0;
  const kept = BigInt(Math.max(0, payment.amountCents - payment.refundedCents));
  return Number((BigInt(quoted.amount_credits) * kept) / BigInt(payment.amountCents));
}

/** What a top-up has to have in the ledger: that of its best payment, since it is sold once however often it is paid. */
export function targetOf(payments: readonly SeenPayment[], quoted: Quoted): number {
  return Math.max(0, ...payments.map((payment) => target(payment, quoted)));
}

/** Whether more than one payment of a top-up holds money: the others have to be given back by a person. */
export function isPaidTwice(payments: readonly SeenPayment[], quoted: Quoted): boolean {
  return payments.filter((payment) => target(payment, quoted) > 0).length > 1;
}

/** Whether money is held that does not fit the quote: it is never credited, and a person has to give it back. */
export function isMismatched(payments: readonly SeenPayment[], quoted: Quoted): boolean {
  return payments.some(
    (payment) =>
      ['approved', 'in_mediation'].includes(payment.status) &&
      !isOfQuote(payment, quoted) &&
      payment.refundedCents < payment.amountCents,
  );
}

/** Whether a payment was begun that may still be paid: in cash or by a bank transfer, that takes days. */
export function isWaiting(payments: readonly SeenPayment[]): boolean {
  return payments.some(({ status }) => WAITING.includes(status));
}

/** The state of a top-up follows from its payments, and from the clock while nothing is paid. */
export function statusOf(
  payments: readonly SeenPayment[],
  quoted: Quoted,
  { isExpired }: { isExpired: boolean },
): TopupStatus {
  const credits = targetOf(payments, quoted);
  if (credits === quoted.amount_credits) return 'credited';
  if (credits > 0) return 'part_reversed';
  if (isMismatched(payments, quoted)) return 'amount_mismatch';
  if (payments.some((payment) => isPaid(payment) && isOfQuote(payment, quoted))) return 'reversed';
  if (isWaiting(payments)) return 'pending';
  if (isExpired) return 'expired';
  return payments.length > 0 ? 'rejected' : 'pending';
}
