import { callbackRequest } from '@constancia/dev-servers/payment-callbacks';
import { startPaymentSimulator } from '@constancia/dev-servers/payment-simulator';
import { testDatabase, type TestDatabase, type TestTenant } from '@constancia/testing';
import { type RunningPlatform, runningPlatform, someIp } from '../../running-platform.fixture.ts';

export const WEBHOOK_SECRET = 'secret-of-the-simulator';
const ACCESS_TOKEN = 'token-of-the-simulator';

export type PaymentSimulator = Awaited<ReturnType<typeof startPaymentSimulator>>;

export interface TopupAnswer {
  id: string;
  status: string;
  preference_id: string;
  init_point: string;
  amount_cop: number;
  amount_credits: number;
  bonus_credits: number;
  credited_credits: number;
  trm_used: string;
  return_url: string | null;
  expires_at: string;
}

export interface RunningTopups {
  database: TestDatabase;
  platform: RunningPlatform;
  simulator: PaymentSimulator;
  create(tenant: TestTenant, body?: object, headers?: Record<string, string>): Promise<TopupAnswer>;
  /** Sends a callback as the provider would; answers the status. */
  callback(paymentId: string, facts?: Partial<Parameters<typeof callbackRequest>[0]>): Promise<number>;
  close(): Promise<void>;
}

/** The platform beside a payment simulator that sends nothing by itself: the test sends the callbacks. */
export async function runningTopups(env: Record<string, string> = {}): Promise<RunningTopups> {
  const database = await testDatabase();
  const simulator = await startPaymentSimulator({ accessToken: ACCESS_TOKEN, webhookSecret: WEBHOOK_SECRET });
  simulator.callbacks.faults.lose = true;
  await database.query(
    `insert into platform.trm_rate (valid_from, valid_to, value, source)
     values (current_date - 2, current_date + 2, '4123.45', 'socrata')`,
  );
  const platform = await runningPlatform(database, {
    PAYMENT_PROVIDER_URL: simulator.url,
    PAYMENT_ACCESS_TOKEN: ACCESS_TOKEN,
    PAYMENT_WEBHOOK_SECRETS: WEBHOOK_SECRET,
    PAYMENT_TIMEOUT_MS: '5000',
    ...env,
  });
  return {
    database,
    platform,
    simulator,
    async create(tenant, body = {}, headers = {}) {
      const answer = await platform.call<TopupAnswer>('/v1/billing/topup', {
        key: tenant.apiKey,
        body: { amount_cop: 100_000, ...body },
        headers,
      });
      if (answer.status !== 201) throw new Error(`no top-up: ${answer.status} ${answer.text}`);
      return answer.body;
    },
    async callback(paymentId, facts = {}) {
      const notificationUrl = `${platform.url}/v1/billing/callbacks/mercadopago`;
      const { url, headers, body } = callbackRequest({ notificationUrl, paymentId, secret: WEBHOOK_SECRET, ...facts });
      const { pathname, search } = new URL(url);
      const answer = await platform.call(`${pathname}${search}`, {
        body,
        headers: { 'x-forwarded-for': someIp(), ...headers },
      });
      return answer.status;
    },
    async close() {
      await platform.close();
      await simulator.close();
      await database.drop();
    },
  };
}
