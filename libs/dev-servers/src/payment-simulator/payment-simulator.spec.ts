import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startPaymentSimulator } from './payment-simulator.mjs';

const ACCESS_TOKEN = 'token-of-the-test';
const SECRET = 'secret-of-the-test';

interface Received {
  url: URL;
  headers: http.IncomingHttpHeaders;
}

/** Takes callbacks, and answers them with the statuses in this order, the last one for ever. */
async function receiver(statuses = [200]) {
  const received: Received[] = [];
  const server = http.createServer((request, response) => {
    received.push({ url: new URL(request.url ?? '', 'http://localhost'), headers: request.headers });
    response.writeHead(statuses[Math.min(received.length, statuses.length) - 1] as number).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/callbacks`, received, close: () => server.close() };
}

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function started(options: { statuses?: number[]; scheduleMs?: number[]; file?: string } = {}) {
  const target = await receiver(options.statuses);
  const { scheduleMs, file } = options;
  const simulator = await startPaymentSimulator({
    accessToken: ACCESS_TOKEN,
    webhookSecret: SECRET,
    ...(scheduleMs && { scheduleMs }),
    ...(file && { file }),
  });
  open.push(simulator, target);
  const api = async (method: string, where: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${simulator.url}${where}`, {
      method,
      headers: { authorization: `Bearer ${ACCESS_TOKEN}`, 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, never> };
  };
  const checkout = (headers: Record<string, string> = {}) =>
    api(
      'POST',
      '/checkout/preferences',
      {
        items: [{ title: 'Créditos', quantity: 1, unit_price: 100_000, currency_id: 'COP' }],
        external_reference: 'top_1',
        notification_url: target.url,
        back_urls: { success: 'https://shop.example/return?outcome=approved' },
      },
      headers,
    );
  return { simulator, target, api, checkout };
}

const isSigned = ({ url, headers }: Received, secret = SECRET): boolean => {
  const [, ts, v1] = /^ts=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-signature'])) ?? [];
  const text = `id:${url.searchParams.get('data.id')};request-id:${String(headers['x-request-id'])};ts:${ts};`;
  return createHmac('sha256', secret).update(text).digest('hex') === v1;
};

describe('the payment simulator', () => {
  it('creates one checkout per X-Idempotency-Key, and knows its payments by their reference', async () => {
    const { simulator, api, checkout } = await started();
    const first = await checkout({ 'x-idempotency-key': 'k' });
    const again = await checkout({ 'x-idempotency-key': 'k' });
    expect([first.status, again.body.id]).toEqual([201, first.body.id]);
    expect((await checkout()).body.id).not.toBe(first.body.id);
    expect(first.body.init_point).toBe(`${simulator.url}/checkout/${String(first.body.id)}`);

    const payment = simulator.pay(String(first.body.id), 'approve');
    const shown = await api('GET', `/v1/payments/${payment.id}`);
    expect(shown.body).toMatchObject({
      id: Number(payment.id),
      status: 'approved',
      external_reference: 'top_1',
      transaction_amount: 100_000,
      currency_id: 'COP',
      live_mode: false,
    });
    const found = await api('GET', '/v1/payments/search?external_reference=top_1');
    expect(found.body.results).toEqual([shown.body]);
    expect((await api('GET', '/v1/payments/1')).status).toBe(404);
    expect((await api('GET', `/v1/payments/${payment.id}`, undefined, { authorization: 'Bearer x' })).status).toBe(401);
  });

  it('refunds once per X-Idempotency-Key, in parts and as a whole, and not more than was paid', async () => {
    const { simulator, api, checkout } = await started();
    const { id } = simulator.pay(String((await checkout()).body.id), 'approve');
    const refund = (amount: number | undefined, key: string) =>
      api('POST', `/v1/payments/${id}/refunds`, { amount }, { 'x-idempotency-key': key });
    expect((await refund(40_000, 'a')).status).toBe(201);
    expect((await refund(40_000, 'a')).status).toBe(201);
    expect(simulator.book.payments.get(id)).toMatchObject({ transaction_amount_refunded: 40_000, status: 'approved' });
    expect((await refund(60_001, 'b')).status).toBe(400);
    expect((await refund(undefined, 'c')).status).toBe(201);
    expect(simulator.book.payments.get(id)).toMatchObject({ transaction_amount_refunded: 100_000, status: 'refunded' });
  });

  it('signs its callbacks, and repeats them until somebody answers 2xx', async () => {
    const { simulator, target, checkout } = await started({ statuses: [500, 503, 200], scheduleMs: [20, 20, 20, 20] });
    const payment = simulator.pay(String((await checkout()).body.id), 'approve');
    await expect.poll(() => target.received.length).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(target.received).toHaveLength(3);
    for (const one of target.received) {
      expect(isSigned(one)).toBe(true);
      expect(one.url.searchParams.get('data.id')).toBe(payment.id);
    }
  });

  it.each([
    ['duplicates', { duplicates: 2 }, 3, 3],
    ['forges', { forge: true }, 3, 1],
    ['loses', { lose: true }, 0, 0],
    ['delays', { delay_ms: 50 }, 1, 1],
    ['signs in milliseconds', { unit: 'ms' }, 1, 1],
  ])('%s callbacks when its switches say so', async (_, faults, arrived, signed) => {
    const { simulator, target, checkout, api } = await started();
    expect((await api('POST', '/__faults', faults)).status).toBe(200);
    simulator.pay(String((await checkout()).body.id), 'approve');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([target.received.length, target.received.filter((one) => isSigned(one)).length]).toEqual([arrived, signed]);
  });

  it('lets a callback overtake the one before, and signs ids in another letter case', async () => {
    const { simulator, target, checkout } = await started();
    simulator.callbacks.faults.reorder = true;
    simulator.callbacks.faults.letter_case = 'lower';
    const preference = String((await checkout()).body.id);
    const [first, second] = [simulator.pay(preference, 'reject'), simulator.pay(preference, 'approve')];
    await expect.poll(() => target.received.length).toBe(2);
    expect(target.received.map(({ url }) => url.searchParams.get('data.id'))).toEqual([second.id, first.id]);
    expect(second.id).toMatch(/[A-F]|PAY/);
    expect(target.received.some((one) => isSigned(one))).toBe(false); // signed over the id in lower case
  });

  it('shows a payer a page in Spanish or English, and sends the payer back afterwards', async () => {
    const { simulator, checkout } = await started();
    const page = String((await checkout()).body.init_point);
    const read = async (language: string) => (await fetch(page, { headers: { 'accept-language': language } })).text();
    expect(await read('es-CO')).toContain('Aprobar el pago');
    expect(await read('en')).toContain('Approve the payment');
    expect(await read('en')).not.toContain('<script');
    const answer = await fetch(`${page}/approve`, { method: 'POST', redirect: 'manual' });
    expect(answer.headers.get('location')).toMatch(/^https:\/\/shop\.example\/return\?outcome=approved&collection_id=/);
    const foreign = await fetch(`${page}/approve`, { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } });
    expect(foreign.status).toBe(403);
    expect(simulator.book.payments.size).toBe(1);
  });

  it('keeps what it took when it starts again', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'payments-'));
    const file = path.join(folder, 'payments.json');
    const { simulator, checkout } = await started({ file });
    const { id } = simulator.pay(String((await checkout()).body.id), 'pending');
    const next = await startPaymentSimulator({ accessToken: ACCESS_TOKEN, webhookSecret: SECRET, file });
    open.push(next);
    expect(next.act(id, 'confirm')).toMatchObject({ status: 'approved' });
    expect(() => next.act(id, 'confirm')).toThrow('approved');
    fs.rmSync(folder, { recursive: true });
  });
});
