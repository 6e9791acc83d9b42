import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import fs from 'node:fs';

/** @typedef {{ id: string, external_reference: string, title: string, amount: number, notification_url: string, back_urls: Record<string, string>, expiration_date_to: string | null, created_at: string }} Preference */
/** @typedef {{ id: string, preference_id: string, external_reference: string, status: string, status_detail: string, currency_id: string, transaction_amount: number, transaction_amount_refunded: number, date_created: string, date_last_updated: string }} Payment */

/** A step that cannot be taken now; the message says why. */
export class Refused extends Error {
  /** @param {number} status of the answer */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * What may be done with a payment: from these states, to that one, with that detail. A dispute that is won leaves the payment charged
 * back, with `reimbursed`, as the provider does.
 *
 * @type {Record<string, { from: string[], to: string, detail: string }>}
 */
export const ACTIONS = {
  confirm: { from: ['pending', 'in_process'], to: 'approved', detail: 'accredited' },
  cancel: { from: ['pending', 'in_process'], to: 'cancelled', detail: 'expired' },
  dispute: { from: ['approved'], to: 'in_mediation', detail: 'in_process' },
  lose: { from: ['in_mediation', 'approved'], to: 'charged_back', detail: 'settled' },
  win: { from: ['in_mediation', 'charged_back'], to: 'charged_back', detail: 'reimbursed' },
};

/** How a payer can end a checkout. */
export const PAYMENTS = {
  approve: { status: 'approved', detail: 'accredited' },
  pending: { status: 'pending', detail: 'pending_waiting_payment' },
  reject: { status: 'rejected', detail: 'cc_rejected_insufficient_amount' },
};

/** Checkouts and payments, kept in memory, and in a file when one is named. */
export class PaymentBook {
  /** @type {Map<string, Preference>} */
  preferences = new Map();
  /** @type {Map<string, Payment>} */
  payments = new Map();
  /** @type {Map<string, object>} answers by X-Idempotency-Key and what was asked */
  #answers = new Map();
  #file;

  /** @param {{ file?: string }} options */
  constructor({ file } = {}) {
    this.#file = file;
    if (!file || !fs.existsSync(file)) return;
    const kept = JSON.parse(fs.readFileSync(file, 'utf8'));
    for (const preference of kept.preferences) this.preferences.set(preference.id, preference);
    for (const payment of kept.payments) this.payments.set(payment.id, payment);
  }

  /**
   * Does something once per key.
   * @template T
   * @param {string | undefined} key
   * @param {() => T} work
   * @returns {T}
   */
  once(key, work) {
    if (key === undefined) return work();
    if (!this.#answers.has(key)) this.#answers.set(key, /** @type {object} */ (work()));
    return /** @type {T} */ (this.#answers.get(key));
  }

  /** @param {any} body of POST /checkout/preferences */
  createPreference(body) {
    const [item] = Array.isArray(body?.items) ? body.items : [];
    const amount = Number(item?.unit_price) * Number(item?.quantity ?? 1);
    if (!item || !Number.isFinite(amount) || amount <= 0) throw new Refused(400, 'items need a unit_price');
    if (item.currency_id !== 'COP') throw new Refused(400, 'currency_id must be COP');
    /** @type {Preference} */
    const preference = {
      id: `1000000001-${randomUUID()}`,
      external_reference: String(body.external_reference ?? ''),
      title: String(item.title ?? ''),
      amount,
      notification_url: String(body.notification_url ?? ''),
      back_urls: body.back_urls ?? {},
      expiration_date_to: body.expires ? String(body.expiration_date_to) : null,
      created_at: new Date().toISOString(),
    };
    this.preferences.set(preference.id, preference);
    this.#save();
    return preference;
  }

  /**
   * A payer ends a checkout.
   * @param {string} preferenceId
   * @param {keyof typeof PAYMENTS} outcome
   * @param {{ amount?: number, lettersInId?: boolean }} options amount: another one than that of the checkout
   */
  pay(preferenceId, outcome, { amount, lettersInId = false } = {}) {
    const preference = this.preferences.get(preferenceId);
    if (!preference) throw new Refused(404, 'there is no such checkout');
    if (preference.expiration_date_to && Date.parse(preference.expiration_date_to) < Date.now()) {
      throw new Refused(409, 'the checkout has expired');
    }
    const { status, detail } = PAYMENTS[outcome];
    const now = new Date().toISOString();
    /** @type {Payment} */
    const payment = {
      id: lettersInId
        ? `PAY${randomBytes(10).toString('hex').toUpperCase()}`
        : String(100_000_000_000 + randomInt(2 ** 46)),
      preference_id: preference.id,
      external_reference: preference.external_reference,
      status,
      status_detail: detail,
      currency_id: 'COP',
      transaction_amount: amount ?? preference.amount,
      transaction_amount_refunded: 0,
      date_created: now,
      date_last_updated: now,
    };
    this.payments.set(payment.id, payment);
    this.#save();
    return payment;
  }

  /** @param {string} paymentId @param {string} action a key of ACTIONS */
  act(paymentId, action) {
    const payment = this.#existing(paymentId);
    const { from, to, detail } = ACTIONS[action] ?? { from: [], to: '', detail: '' };
    if (!from.includes(payment.status)) throw new Refused(409, `a payment that is ${payment.status} has no ${action}`);
    return this.#change(payment, { status: to, status_detail: detail });
  }

  /** Gives back an amount, or what is left. @param {string} paymentId @param {number} [amount] */
  refund(paymentId, amount) {
    const payment = this.#existing(paymentId);
    const left = payment.transaction_amount - payment.transaction_amount_refunded;
    const wanted = amount ?? left;
    if (payment.status !== 'approved' || !(wanted > 0) || wanted > left) {
      throw new Refused(400, 'the payment cannot be refunded by this amount');
    }
    const refunded = payment.transaction_amount_refunded + wanted;
    const all = refunded === payment.transaction_amount;
    this.#change(payment, {
      transaction_amount_refunded: refunded,
      status: all ? 'refunded' : 'approved',
      status_detail: all ? 'refunded' : 'partially_refunded',
    });
    return { id: randomInt(2 ** 46), payment_id: payment.id, amount: wanted, status: 'approved' };
  }

  /** @param {string} reference */
  byReference(reference) {
    return [...this.payments.values()].filter(({ external_reference }) => external_reference === reference);
  }

  /** @param {string} preferenceId */
  ofPreference(preferenceId) {
    return [...this.payments.values()].filter(({ preference_id }) => preference_id === preferenceId);
  }

  #existing(paymentId) {
    const payment = this.payments.get(paymentId);
    if (!payment) throw new Refused(404, 'there is no such payment');
    return payment;
  }

  /** A later state has a later time: clients go by it. */
  #change(payment, changes) {
    const later = Math.max(Date.now(), Date.parse(payment.date_last_updated) + 1);
    Object.assign(payment, changes, { date_last_updated: new Date(later).toISOString() });
    this.#save();
    return payment;
  }

  #save() {
    if (!this.#file) return;
    const text = JSON.stringify({ preferences: [...this.preferences.values()], payments: [...this.payments.values()] });
    fs.writeFileSync(`${this.#file}.new`, text, { mode: 0o600 });
    fs.renameSync(`${this.#file}.new`, this.#file);
  }
}

/** A payment as GET /v1/payments/{id} answers it: an id of digits is a number. */
export function paymentAnswer(payment) {
  const { id, ...rest } = payment;
  delete rest.preference_id;
  return { id: /^\d+$/.test(id) ? Number(id) : id, live_mode: false, collector_id: 1_000_000_001, ...rest };
}
