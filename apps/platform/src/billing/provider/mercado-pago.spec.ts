import http from 'node:http';
import { startPaymentSimulator } from '@constancia/dev-servers/payment-simulator';
import { Metrics } from '@constancia/telemetry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlatformConfig } from '../../config.ts';
import { MercadoPago } from './mercado-pago.ts';
import { ProviderHttp } from './provider-http.ts';

const WANTED = {
  externalReference: 'top_1',
  title: 'Créditos',
  amountCop: 100_000,
  notificationUrl: '',
  returnUrls: { success: 'https://a.example/1', failure: 'https://a.example/2', pending: 'https://a.example/3' },
  expiresAt: new Date(Date.now() + 60_000),
};

let simulator: Awaited<ReturnType<typeof startPaymentSimulator>>;
let proxy: http.Server;
/** What happens to the next requests; none: they go through. */
let accidents: ('drop' | 'lose answer' | 500 | 429 | 'nonsense' | 'silence')[];
let requests: string[];
let metrics: Metrics;
let client: ProviderHttp;
let provider: MercadoPago;

beforeEach(async () => {
  simulator = await startPaymentSimulator({ accessToken: 'token', webhookSecret: 'secret' });
  accidents = [];
  requests = [];
  proxy = http.createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const accident = accidents.shift();
    if (accident === 'drop') return void request.socket.destroy();
    if (accident === 'silence') return;
    if (typeof accident === 'number') return void response.writeHead(accident).end('{}');
    if (accident === 'nonsense') return void response.writeHead(200).end('{"id": null}');
    const { method, url, headers } = request;
    const onward = http.request(
      `${simulator.url}${url}`,
      { method, headers: { ...headers, host: 'localhost' } },
      (answer) => {
        if (accident === 'lose answer') return void request.socket.destroy();
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as { port: number };
  const config = {
    paymentProviderUrl: `http://127.0.0.1:${port}`,
    paymentAccessToken: 'token',
    paymentTimeoutMs: 300,
  } as PlatformConfig;
  metrics = new Metrics({ app: 'test' });
  client = new ProviderHttp(config, metrics);
  provider = new MercadoPago(config, client);
});
afterEach(async () => {
  await client.onApplicationShutdown();
  proxy.closeAllConnections();
  proxy.close();
  await simulator.close();
});

const unavailable = { slug: 'payment-provider-unavailable' };

describe('the payment provider', () => {
  it('is asked again after a broken connection, a 5xx and a 429, and creates one checkout', async () => {
    accidents = ['lose answer', 500];
    const preference = await provider.createPreference(WANTED);
    expect(requests).toHaveLength(3);
    expect([...simulator.book.preferences.keys()]).toEqual([preference.id]);
    accidents = ['drop', 429];
    expect(await provider.searchByExternalReference('top_1')).toEqual([]);
  });

  it('is given up after three attempts, and after an answer that says no at once', async () => {
    accidents = [500, 500, 500];
    await expect(provider.getPayment('1')).rejects.toMatchObject(unavailable);
    expect(requests).toHaveLength(3);
    requests = [];
    const stranger = new MercadoPago(
      { paymentProviderUrl: simulator.url, paymentAccessToken: 'wrong' } as PlatformConfig,
      client,
    );
    await expect(stranger.getPayment('1')).rejects.toMatchObject(unavailable);
    expect(await metrics.text()).toMatch(/payment_provider_calls_total\{method="GET",outcome="refused",app="test"\} 1/);
  });

  it('is not waited for longer than agreed, and nonsense is no answer', async () => {
    accidents = ['silence', 'silence', 'silence'];
    const from = performance.now();
    await expect(provider.getPayment('1')).rejects.toMatchObject(unavailable);
    expect(performance.now() - from).toBeLessThan(3_000);
    accidents = ['nonsense'];
    await expect(provider.createPreference(WANTED)).rejects.toMatchObject(unavailable);
  });

  it('shows a payment as it is, none as null, and refunds once per key', async () => {
    const { id } = await provider.createPreference(WANTED);
    const payment = simulator.pay(id, 'approve');
    expect(await provider.getPayment('42')).toBeNull();
    accidents = ['lose answer'];
    await provider.refund(payment.id, 'key-1', 40_000);
    await provider.refund(payment.id, 'key-1', 40_000);
    const snapshot = await provider.getPayment(payment.id);
    expect(snapshot).toMatchObject({
      paymentId: payment.id,
      externalReference: 'top_1',
      status: 'approved',
      currency: 'COP',
      amountCents: 10_000_000,
      refundedCents: 4_000_000,
      live: false,
    });
    expect(await provider.searchByExternalReference('top_1')).toEqual([snapshot]);
    await provider.refund(payment.id, 'key-2');
    expect(await provider.getPayment(payment.id)).toMatchObject({ status: 'refunded', refundedCents: 10_000_000 });
  });
});
