import type { PaymentSnapshot, Preference } from './payment-provider.ts';

type Members = Record<string, unknown>;

/** An answer of POST /checkout/preferences. Throws TypeError for anything else. */
export function preferenceOf(body: unknown): Preference {
  const { id, init_point } = membersOf(body);
  return { id: text(id, 'id'), initPoint: addressOf(init_point) };
}

/** An answer of GET /v1/payments/{id}. Throws TypeError for anything else. */
export function paymentOf(body: unknown): PaymentSnapshot {
  const payment = membersOf(body);
  const { id, external_reference, status, status_detail, currency_id, live_mode } = payment;
  return {
    paymentId: text(typeof id === 'number' ? String(id) : id, 'id'),
    externalReference: typeof external_reference === 'string' ? external_reference : null,
    status: text(status, 'status'),
    statusDetail: typeof status_detail === 'string' ? status_detail.slice(0, 64) : '',
    currency: text(currency_id, 'currency_id'),
    amountCents: cents(payment.transaction_amount, 'transaction_amount'),
    refundedCents: cents(payment.transaction_amount_refunded ?? 0, 'transaction_amount_refunded'),
    updatedAt: time(payment.date_last_updated ?? payment.date_created),
    live: live_mode === true,
  };
}

/** An answer of GET /v1/payments/search. Throws TypeError for anything else. */
export function paymentsOf(body: unknown): PaymentSnapshot[] {
  const { results } = membersOf(body);
  if (!Array.isArray(results)) throw new TypeError('results is no list');
  return results.map(paymentOf);
}

function membersOf(body: unknown): Members {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new TypeError('not an object');
  return body as Members;
}

function text(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '' || value.length > 128) throw new TypeError(`${name} is no short text`);
  return value;
}

function addressOf(value: unknown): string {
  const url = new URL(String(value));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new TypeError('init_point is no web address');
  return url.href;
}

/** Amounts are JSON numbers, in pesos: hundredths are exact up to 10^13. */
function cents(value: unknown, name: string): number {
  const hundredths = Math.round(Number(value) * 100);
  if (typeof value !== 'number' || !Number.isSafeInteger(hundredths) || hundredths < 0) {
    throw new TypeError(`${name} is no amount`);
  }
  return hundredths;
}

function time(value: unknown): Date {
  const date = new Date(String(value));
  if (typeof value !== 'string' || Number.isNaN(date.getTime())) throw new TypeError('date_last_updated is no time');
  return date;
}
