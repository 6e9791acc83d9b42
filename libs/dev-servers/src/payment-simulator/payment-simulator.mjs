/**
 * A payment provider for a developer's machine, with Mercado Pago's wire protocol: checkouts, payments, refunds, and callbacks that are
 * really signed and repeated. Loopback only; no money moves.
 *
 *   node libs/dev-servers/src/payment-simulator/payment-simulator.mjs --port <port> [--file <state>] [--schedule <ms,ms,...>]
 *   PAYMENT_ACCESS_TOKEN and PAYMENT_WEBHOOK_SECRETS are those of the platform.
 *
 *   POST /checkout/preferences          X-Idempotency-Key is honoured
 *   GET  /v1/payments/{id}, /v1/payments/search?external_reference=
 *   POST /v1/payments/{id}/refunds      {amount?}; X-Idempotency-Key is honoured
 *   GET  /checkout/{id}                 the payer's page: approve, pending, reject; then dispute, refund
 *   GET  /                              every checkout, and the switches of faults
 *   GET, POST /__faults                 the switches as JSON
 *   GET  /__callbacks                   how often callbacks had which outcome
 */
import { timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import { parseArgs } from 'node:util';
import { ACTIONS, PAYMENTS, PaymentBook, paymentAnswer, Refused } from './payment-book.mjs';
import { Callbacks, NO_FAULTS } from './payment-callbacks.mjs';
import { checkoutPage, overviewPage, refusedPage } from './payment-pages.mjs';
import { runDevServer } from '../run-dev-server.mjs';

const LOOPBACK = new Set(['127.0.0.1', '::1']);
const MAX_BODY_BYTES = 256 * 1024;
const SECURITY = {
  // form-action is left out: browsers hold redirects after a form to it, and a payer goes back to the merchant.
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** A page of another site may have its name point here: it would still send its own name as Host. */
const fromHere = (request) => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(request.headers.host ?? '');

async function bodyOf(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Refused(413, 'the body is too large');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (text === '') return {};
  if (/x-www-form-urlencoded/.test(request.headers['content-type'] ?? '')) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(400, 'the body is no JSON');
  }
}

/** Faults as they are sent: texts of a form or JSON. Unknown ones are refused. */
function readFaults(given, before) {
  const faults = { ...before };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(NO_FAULTS, name)) throw new Refused(400, `there is no fault ${name}`);
    const kind = typeof NO_FAULTS[name];
    if (kind === 'boolean') faults[name] = value === true || value === 'true';
    else if (kind === 'number') faults[name] = Math.max(0, Math.min(86_400_000, Math.floor(Number(value)) || 0));
    else faults[name] = String(value);
  }
  if (faults.duplicates > 100) throw new Refused(400, 'duplicates are 100 at most');
  if (!['s', 'ms'].includes(faults.unit)) throw new Refused(400, 'unit is s or ms');
  if (!['received', 'lower', 'upper'].includes(faults.letter_case)) {
    throw new Refused(400, 'letter_case is received, lower or upper');
  }
  return faults;
}

class Simulator {
  /** @param {{ book: PaymentBook, callbacks: Callbacks, accessToken: string }} parts */
  constructor({ book, callbacks, accessToken }) {
    this.book = book;
    this.callbacks = callbacks;
    this.accessToken = accessToken;
    this.url = '';
  }

  /** A payer ends a checkout; the payment is announced. */
  pay(preferenceId, outcome, options = {}) {
    const lettersInId = this.callbacks.faults.letter_case !== 'received';
    const payment = this.book.pay(preferenceId, outcome, { lettersInId, ...options });
    this.#announce(payment);
    return payment;
  }

  /** confirm, cancel, dispute, lose, win. */
  act(paymentId, action) {
    const payment = this.book.act(paymentId, action);
    this.#announce(payment);
    return payment;
  }

  refund(paymentId, amount) {
    const refund = this.book.refund(paymentId, amount);
    this.#announce(this.book.payments.get(paymentId));
    return refund;
  }

  #announce(payment) {
    const preference = this.book.preferences.get(payment.preference_id);
    this.callbacks.announce({ notificationUrl: preference?.notification_url ?? '', paymentId: payment.id });
  }

  async handle(request, response) {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const language = (request.headers['accept-language'] ?? '').trim().slice(0, 2);
    const isApi = url.pathname.startsWith('/v1/') || url.pathname === '/checkout/preferences';
    try {
      if (!fromHere(request)) throw new Refused(403, 'this simulator answers to localhost only');
      if (isApi) return json(response, ...(await this.#api(request, url)));
      return await this.#page(request, response, url, language);
    } catch (error) {
      const status = error instanceof Refused ? error.status : 500;
      const message = error instanceof Refused ? error.message : 'the simulator failed';
      if (isApi || url.pathname.startsWith('/__')) return json(response, status, { message, status });
      return html(response, status, refusedPage(message, language));
    }
  }

  /** @returns {Promise<[status: number, body: unknown]>} */
  async #api(request, url) {
    if (!this.#isAuthorised(request)) throw new Refused(401, 'the access token is not valid');
    const header = request.headers['x-idempotency-key'];
    const key = typeof header === 'string' ? `${url.pathname} ${header}` : undefined;
    if (request.method === 'POST' && url.pathname === '/checkout/preferences') {
      const body = await bodyOf(request);
      const preference = this.book.once(key, () => this.book.createPreference(body));
      const initPoint = `${this.url}/checkout/${preference.id}`;
      return [201, { ...body, id: preference.id, init_point: initPoint, sandbox_init_point: initPoint }];
    }
    if (request.method === 'GET' && url.pathname === '/v1/payments/search') {
      const results = this.book.byReference(url.searchParams.get('external_reference') ?? '').map(paymentAnswer);
      return [200, { paging: { total: results.length, limit: 100, offset: 0 }, results }];
    }
    const [, id, refunds] = /^\/v1\/payments\/([0-9A-Za-z_-]+)(\/refunds)?$/.exec(url.pathname) ?? [];
    const payment = this.book.payments.get(id ?? '');
    if (!payment) throw new Refused(404, 'Payment not found');
    if (request.method === 'GET' && !refunds) return [200, paymentAnswer(payment)];
    if (request.method === 'POST' && refunds) {
      const { amount } = await bodyOf(request);
      return [201, this.book.once(key, () => this.refund(payment.id, amount))];
    }
    throw new Refused(405, 'method not allowed');
  }

  async #page(request, response, url, language) {
    const { book, callbacks } = this;
    if (url.pathname === '/__health') return json(response, 200, { status: 'ok' });
    if (url.pathname === '/__callbacks') return json(response, 200, Object.fromEntries(callbacks.outcomes));
    if (url.pathname === '/__faults') {
      if (request.method !== 'POST') return json(response, 200, callbacks.faults);
      this.#refuseOtherSites(request);
      callbacks.faults = readFaults(await bodyOf(request), callbacks.faults);
      if (!callbacks.faults.reorder) callbacks.flush();
      if (!/json/.test(request.headers['content-type'] ?? '')) return redirect(response, '/');
      return json(response, 200, callbacks.faults);
    }
    if (url.pathname === '/' && request.method === 'GET') {
      const preferences = [...book.preferences.values()].reverse().slice(0, 100);
      return html(response, 200, overviewPage({ preferences, faults: callbacks.faults, log: callbacks.log }, language));
    }
    const [, kind, id, action] = /^\/(checkout|payments)\/([0-9A-Za-z_-]+)(?:\/([a-z]+))?$/.exec(url.pathname) ?? [];
    if (request.method === 'POST' && action) {
      this.#refuseOtherSites(request);
      const { amount } = await bodyOf(request);
      return kind === 'checkout' ? this.#paid(response, id, action, amount) : this.#acted(response, id, action, amount);
    }
    const preference = kind === 'checkout' && !action ? book.preferences.get(id) : undefined;
    if (!preference) throw new Refused(404, 'there is no such page');
    return html(response, 200, checkoutPage(preference, book.ofPreference(preference.id), language));
  }

  /** The payer goes back to the merchant, with what the provider adds to the address. */
  #paid(response, preferenceId, outcome, amount) {
    if (!Object.hasOwn(PAYMENTS, outcome)) throw new Refused(404, 'there is no such page');
    const options = amount === undefined ? {} : { amount: Number(amount) };
    const payment = this.pay(preferenceId, /** @type {keyof typeof PAYMENTS} */ (outcome), options);
    const preference = this.book.preferences.get(preferenceId);
    const name = { approve: 'success', pending: 'pending', reject: 'failure' }[outcome];
    const back = preference?.back_urls[name ?? ''];
    if (!back) return redirect(response, `/checkout/${preferenceId}`);
    const url = new URL(back);
    const added = {
      collection_id: payment.id,
      collection_status: payment.status,
      payment_id: payment.id,
      status: payment.status,
      external_reference: payment.external_reference,
      preference_id: preferenceId,
    };
    for (const [member, value] of Object.entries(added)) url.searchParams.set(member, value);
    return redirect(response, url.href);
  }

  #acted(response, paymentId, action, amount) {
    if (action === 'refund') this.refund(paymentId, amount === undefined ? undefined : Number(amount));
    else if (Object.hasOwn(ACTIONS, action)) this.act(paymentId, action);
    else throw new Refused(404, 'there is no such page');
    return redirect(response, `/checkout/${this.book.payments.get(paymentId)?.preference_id}`);
  }

  /** A form of another site would say so. */
  #refuseOtherSites(request) {
    const site = request.headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none') {
      throw new Refused(403, 'this form is of another site');
    }
  }

  #isAuthorised(request) {
    const given = Buffer.from(String(request.headers.authorization ?? ''));
    const expected = Buffer.from(`Bearer ${this.accessToken}`);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}

function json(response, status, body) {
  response.writeHead(status, { ...SECURITY, 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function html(response, status, text) {
  response.writeHead(status, { ...SECURITY, 'content-type': 'text/html; charset=utf-8' });
  response.end(text);
}

function redirect(response, location) {
  response.writeHead(303, { ...SECURITY, location });
  response.end();
}

/**
 * Starts the simulator.
 *
 * @param {{ accessToken: string, webhookSecret: string, port?: number, host?: string, file?: string, scheduleMs?: number[] }} options
 *   file: where checkouts and payments are kept; left out: in memory only. scheduleMs: pauses before a callback is repeated
 */
export async function startPaymentSimulator({
  accessToken,
  webhookSecret,
  port = 0,
  host = '127.0.0.1',
  file,
  scheduleMs,
}) {
  if (!LOOPBACK.has(host)) throw new Error('The payment simulator listens on loopback only.');
  const book = new PaymentBook(file === undefined ? {} : { file });
  const callbacks = new Callbacks({ secret: webhookSecret, ...(scheduleMs && { scheduleMs }) });
  const simulator = new Simulator({ book, callbacks, accessToken });
  const server = http.createServer((request, response) => void simulator.handle(request, response));
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(undefined));
  });
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  simulator.url = `http://${host === '::1' ? '[::1]' : host}:${address.port}`;
  return {
    url: simulator.url,
    port: address.port,
    book,
    callbacks,
    /** @type {Simulator['pay']} */ pay: (...args) => simulator.pay(...args),
    /** @type {Simulator['act']} */ act: (...args) => simulator.act(...args),
    /** @type {Simulator['refund']} */ refund: (...args) => simulator.refund(...args),
    async close() {
      callbacks.close();
      const closed = new Promise((resolve) => server.close(() => resolve(undefined)));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function main() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      host: { type: 'string', default: '127.0.0.1' },
      file: { type: 'string' },
      schedule: { type: 'string' },
    },
  });
  const { PAYMENT_ACCESS_TOKEN: accessToken, PAYMENT_WEBHOOK_SECRETS: webhookSecret } = process.env;
  if (!accessToken || !webhookSecret) throw new Error('Set PAYMENT_ACCESS_TOKEN and PAYMENT_WEBHOOK_SECRETS.');
  const simulator = await startPaymentSimulator({
    accessToken,
    webhookSecret: webhookSecret.split(',')[0],
    port: Number(values.port),
    host: values.host,
    ...(values.file && { file: values.file }),
    ...(values.schedule && { scheduleMs: values.schedule.split(',').map(Number) }),
  });
  return { server: simulator, facts: { url: simulator.url } };
}

runDevServer('payment-simulator.mjs', main);
