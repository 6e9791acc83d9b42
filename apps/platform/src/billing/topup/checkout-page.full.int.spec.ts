import http from 'node:http';
import { startPaymentSimulator } from '@constancia/dev-servers/payment-simulator';
import { freePort, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { BROWSER_PATH, browserInstalled, openBrowser } from '@constancia/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../../running-platform.fixture.ts';
import type { PaymentSimulator, TopupAnswer } from './running-topups.fixture.ts';

const PAYMENT_ACCESS_TOKEN = 'token-of-the-simulator';
const PAYMENT_WEBHOOK_SECRETS = 'secret-of-the-simulator';

let database: TestDatabase;
let simulator: PaymentSimulator;
let platform: RunningPlatform;
/** The tenant's own page, where payers return to. */
let shop: http.Server;
let shopUrl: string;
let browser: Browser;

beforeAll(async () => {
  database = await testDatabase();
  simulator = await startPaymentSimulator({
    accessToken: PAYMENT_ACCESS_TOKEN,
    webhookSecret: PAYMENT_WEBHOOK_SECRETS,
    scheduleMs: [200, 200, 200],
  });
  const port = await freePort();
  platform = await runningPlatform(database, {
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    PAYMENT_PROVIDER_URL: simulator.url,
    PAYMENT_ACCESS_TOKEN,
    PAYMENT_WEBHOOK_SECRETS,
  });
  shop = http.createServer((_request, response) => response.end('<!doctype html><title>Shop</title><h1>Shop</h1>'));
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopUrl = `http://127.0.0.1:${(shop.address() as { port: number }).port}`;
  if (BROWSER_PATH !== null) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await platform?.close();
  await simulator?.close();
  shop?.close();
  await database?.drop();
});

describe.runIf(browserInstalled('the payer’s page'))('a payer in Chromium', () => {
  let tenant: TestTenant;
  let page: Page;
  let close: () => Promise<void>;

  beforeEach(async () => {
    tenant = await testTenant(database);
    const context = await browser.newContext({ locale: 'es-CO', viewport: { width: 360, height: 740 } });
    page = await context.newPage();
    close = () => context.close();
  });
  afterEach(() => close());

  async function checkout(body: object = {}): Promise<TopupAnswer> {
    const request = { key: tenant.apiKey, body: { amount_cop: 100_000, ...body } };
    return (await platform.call<TopupAnswer>('/v1/billing/topup', request)).body;
  }
  const show = async ({ id }: TopupAnswer) =>
    (await platform.call<TopupAnswer>(`/v1/billing/topups/${id}`, { key: tenant.apiKey })).body;
  const balance = async () =>
    (await platform.call<{ available: number }>('/v1/billing/balance', { key: tenant.apiKey })).body.available;
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

  it('approves a payment and returns to the shop; the signed callback credits it', async () => {
    await platform.call('/v1/billing/return-origins', {
      method: 'PUT',
      key: tenant.apiKey,
      body: { origins: [shopUrl] },
    });
    const topup = await checkout({ return_url: `${shopUrl}/billing` });
    await page.goto(topup.init_point);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Pagar: 100.000 COP');
    await press('Aprobar el pago');
    await page.getByRole('heading', { name: 'Shop' }).waitFor();
    expect(page.url()).toBe(`${shopUrl}/billing?status=approved&topup_id=${topup.id}`);
    await expect.poll(() => show(topup)).toMatchObject({ status: 'credited', credited_credits: topup.amount_credits });
    expect(await balance()).toBe(1_000 + topup.amount_credits);
  });

  it('leaves a payment pending, sees the page of ours, and confirms, disputes, loses and wins it', async () => {
    const topup = await checkout();
    await page.goto(topup.init_point);
    await press('Dejarlo pendiente (PSE o efectivo)');
    await page.getByRole('heading', { name: 'Gracias' }).waitFor();
    expect(await show(topup)).toMatchObject({ status: 'pending' });

    await page.goto(topup.init_point);
    await press('Confirmar');
    await expect.poll(() => show(topup)).toMatchObject({ status: 'credited' });
    await press('Abrir disputa');
    await press('Disputa perdida');
    await expect.poll(() => show(topup)).toMatchObject({ status: 'reversed', credited_credits: 0 });
    await press('Disputa ganada');
    await expect.poll(() => show(topup)).toMatchObject({ status: 'credited' });
    expect(await balance()).toBe(1_000 + topup.amount_credits);
  });

  it('is refused, pays another amount, and nothing is credited; then pays the right one', async () => {
    const topup = await checkout();
    await page.goto(topup.init_point);
    await press('Rechazar el pago');
    await expect.poll(() => show(topup)).toMatchObject({ status: 'rejected' });
    await page.goto(topup.init_point);
    await press('Pagar otro valor');
    await expect.poll(() => show(topup)).toMatchObject({ status: 'amount_mismatch', credited_credits: 0 });
    await page.goto(topup.init_point);
    await press('Aprobar el pago');
    await expect.poll(() => show(topup)).toMatchObject({ status: 'credited' });
    expect(await balance()).toBe(1_000 + topup.amount_credits);
  });

  it('pays while callbacks come twice, overtake each other, come late and are forged: the balance is the same', async () => {
    Object.assign(simulator.callbacks.faults, {
      duplicates: 3,
      forge: true,
      reorder: true,
      delay_ms: 50,
      unit: 'ms',
      letter_case: 'lower',
    });
    const topup = await checkout();
    await page.goto(topup.init_point);
    await press('Dejarlo pendiente (PSE o efectivo)');
    await page.goto(topup.init_point);
    await press('Confirmar');
    await press('Devolver la mitad');
    simulator.callbacks.flush();
    await expect.poll(() => show(topup)).toMatchObject({ status: 'part_reversed' });
    Object.assign(simulator.callbacks.faults, {
      duplicates: 0,
      forge: false,
      reorder: false,
      delay_ms: 0,
      unit: 's',
      letter_case: 'received',
    });
    expect(await balance()).toBe(1_000 + Math.floor(topup.amount_credits / 2));
    const { body } = await platform.call<{ data: { amount: number }[] }>('/v1/billing/ledger', { key: tenant.apiKey });
    expect(body.data.reduce((sum, { amount }) => sum + amount, 0)).toBe(await balance());
  });
});
