import { createHmac, randomBytes, randomUUID } from 'node:crypto';

const MINUTE = 60_000;
/** When a callback that was not answered 2xx is sent again. */
export const RETRY_SCHEDULE_MS = [5 * MINUTE, 45 * MINUTE, 360 * MINUTE, 2 * 1_440 * MINUTE, 4 * 1_440 * MINUTE];
const TIMEOUT_MS = 22_000;

/** What goes wrong between a provider and its clients, on purpose. */
export const NO_FAULTS = {
  /** How many times more each callback is sent, at the same time. */
  duplicates: 0,
  /** Callbacks wait for the next one, which overtakes them. */
  reorder: false,
  delay_ms: 0,
  /** None is sent. */
  lose: false,
  /** Before each callback comes one that is signed with another secret, and one that names another payment. */
  forge: false,
  /** The unit of the signed time: s or ms. */
  unit: 's',
  /** The letter case of the id in the signed text: as in the address, lower or upper. Ids get letters for it. */
  letter_case: 'received',
  /** A repetition has the time of the first attempt. */
  keep_time: false,
};

/** @typedef {typeof NO_FAULTS} Faults */
/** @typedef {{ url: string, headers: Record<string, string>, body: string }} CallbackRequest */

/**
 * The request that announces a payment, signed as the provider signs: x-signature over the id, the request's id and the time.
 *
 * @param {{ notificationUrl: string, paymentId: string, secret: string, faults?: Partial<Faults>, at?: number, requestId?: string }} facts
 * @returns {CallbackRequest}
 */
export function callbackRequest({
  notificationUrl,
  paymentId,
  secret,
  faults = {},
  at = Date.now(),
  requestId = randomUUID(),
}) {
  const { unit, letter_case: letterCase } = { ...NO_FAULTS, ...faults };
  const ts = String(unit === 'ms' ? at : Math.floor(at / 1_000));
  const signedId =
    letterCase === 'lower' ? paymentId.toLowerCase() : letterCase === 'upper' ? paymentId.toUpperCase() : paymentId;
  const manifest = `id:${signedId};request-id:${requestId};ts:${ts};`;
  const v1 = createHmac('sha256', secret).update(manifest).digest('hex');
  const url = new URL(notificationUrl);
  url.searchParams.set('data.id', paymentId);
  url.searchParams.set('type', 'payment');
  return {
    url: url.href,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'payment-simulator',
      'x-request-id': requestId,
      'x-signature': `ts=${ts},v1=${v1}`,
    },
    body: JSON.stringify({
      action: 'payment.updated',
      api_version: 'v1',
      type: 'payment',
      live_mode: false,
      date_created: new Date(at).toISOString(),
      data: { id: paymentId },
    }),
  };
}

/** Announces payments, with the faults that are switched on, and again on a schedule until somebody answers 2xx. */
export class Callbacks {
  /** @type {Faults} */
  faults = { ...NO_FAULTS };
  /** Attempts, newest first: for the page. */
  log = [];
  /** How often each outcome was seen. @type {Map<string, number>} */
  outcomes = new Map();
  #secret;
  #schedule;
  #timers = new Set();
  #held = null;
  #closed = false;

  /** @param {{ secret: string, scheduleMs?: number[] }} options */
  constructor({ secret, scheduleMs = RETRY_SCHEDULE_MS }) {
    this.#secret = secret;
    this.#schedule = scheduleMs;
  }

  /** @param {{ notificationUrl: string, paymentId: string }} what */
  announce(what) {
    const { lose, forge, duplicates, reorder, delay_ms: delayMs } = this.faults;
    if (!what.notificationUrl) return;
    if (forge) this.#forge(what);
    if (lose) return this.#note(what.paymentId, 'lost');
    const send = () => {
      for (let copy = 0; copy <= duplicates; copy++) this.#attempt({ ...what, firstAt: Date.now() }, 0);
    };
    if (reorder && this.#held === null) {
      this.#held = send;
      return;
    }
    this.#later(delayMs, send);
    const held = this.#held;
    this.#held = null;
    if (held) this.#later(delayMs + 50, held);
  }

  /** Sends what waits to be overtaken. */
  flush() {
    const held = this.#held;
    this.#held = null;
    held?.();
  }

  close() {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #forge({ notificationUrl, paymentId }) {
    const secret = randomBytes(32).toString('hex');
    const other = callbackRequest({ notificationUrl, paymentId: '1', secret: this.#secret });
    other.url = other.url.replace('data.id=1', `data.id=${paymentId}`);
    for (const request of [callbackRequest({ notificationUrl, paymentId, secret }), other]) {
      void this.#send(request).then((status) => this.#note(paymentId, `forged: ${status}`));
    }
  }

  #attempt(what, nth) {
    const at = this.faults.keep_time ? what.firstAt : Date.now();
    const request = callbackRequest({ ...what, secret: this.#secret, faults: this.faults, at });
    void this.#send(request).then((status) => {
      this.#note(what.paymentId, `${status}`);
      const pause = this.#schedule[nth];
      if ((status < 200 || status > 299) && pause !== undefined) this.#later(pause, () => this.#attempt(what, nth + 1));
    });
  }

  /** @returns {Promise<number>} the status; 0 when nobody answered */
  async #send({ url, headers, body }) {
    try {
      const options = { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) };
      const response = await fetch(url, options);
      await response.arrayBuffer();
      return response.status;
    } catch {
      return 0;
    }
  }

  #later(ms, work) {
    if (this.#closed) return;
    if (ms <= 0) return work();
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        work();
      },
      Math.min(ms, 2 ** 31 - 1),
    );
    timer.unref();
    this.#timers.add(timer);
  }

  #note(paymentId, outcome) {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    this.log.unshift({ at: new Date().toISOString(), payment_id: paymentId, outcome });
    this.log.length = Math.min(this.log.length, 100);
  }
}
