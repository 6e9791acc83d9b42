import { PaymentProviderUnavailable } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import { parseSignature, signatureHolds, signedAtMs } from './callback-signature.ts';
import { paymentOf, paymentsOf, preferenceOf } from './mercado-pago-answers.ts';
import { ProviderHttp } from './provider-http.ts';
import {
  type Callback,
  type CallbackVerdict,
  type NewPreference,
  PaymentProvider,
  type PaymentSnapshot,
  type Preference,
} from './payment-provider.ts';

/** Mercado Pago's wire protocol (preferences, payments, x-signature), at PAYMENT_PROVIDER_URL: theirs, or a simulator's. */
@Injectable()
export class MercadoPago extends PaymentProvider {
  readonly name = 'mercadopago';

  constructor(
    private readonly config: PlatformConfig,
    private readonly http: ProviderHttp,
  ) {
    super();
  }

  get isConfigured(): boolean {
    const { paymentAccessToken, paymentWebhookSecrets } = this.config;
    return paymentAccessToken !== undefined && (paymentWebhookSecrets?.length ?? 0) > 0;
  }

  async createPreference(wanted: NewPreference): Promise<Preference> {
    const { externalReference, title, amountCop, notificationUrl, returnUrls, expiresAt } = wanted;
    const body = {
      items: [{ id: externalReference, title, quantity: 1, unit_price: amountCop, currency_id: 'COP' }],
      external_reference: externalReference,
      back_urls: returnUrls,
      auto_return: 'approved',
      notification_url: notificationUrl,
      expires: true,
      expiration_date_to: expiresAt.toISOString(),
      metadata: { topup_id: externalReference },
    };
    const answer = await this.call('POST', '/checkout/preferences', { body, key: externalReference });
    return this.read(preferenceOf, answer.body);
  }

  async getPayment(paymentId: string): Promise<PaymentSnapshot | null> {
    const answer = await this.call('GET', `/v1/payments/${encodeURIComponent(paymentId)}`, { allowed: [404] });
    return answer.status === 404 ? null : this.read(paymentOf, answer.body);
  }

  async searchByExternalReference(reference: string): Promise<PaymentSnapshot[]> {
    const query = new URLSearchParams({
      external_reference: reference,
      sort: 'date_created',
      criteria: 'asc',
      limit: '100',
    });
    const answer = await this.call('GET', `/v1/payments/search?${query}`);
    return this.read(paymentsOf, answer.body);
  }

  async refund(paymentId: string, key: string, amountCop?: number): Promise<void> {
    const body = amountCop === undefined ? {} : { amount: amountCop };
    await this.call('POST', `/v1/payments/${encodeURIComponent(paymentId)}/refunds`, { body, key });
  }

  verifyCallback({ query, headers }: Callback, now: Date = new Date()): CallbackVerdict {
    const header = headers['x-signature'];
    const signature = typeof header === 'string' ? parseSignature(header) : null;
    if (signature === null) {
      return { kind: 'malformed', detail: 'Send x-signature as ts=<time>,v1=<64 hexadecimal digits>.' };
    }
    const dataId = textOf(query['data.id']);
    const requestId = textOf(headers['x-request-id']);
    const { ts, v1 } = signature;
    if (!signatureHolds(this.config.paymentWebhookSecrets ?? [], { dataId, requestId, ts }, v1)) {
      return { kind: 'forged' };
    }
    const topic = textOf(query.type) ?? textOf(query.topic) ?? 'payment';
    if (topic !== 'payment' || dataId === undefined || !/^[0-9A-Za-z_-]{1,64}$/.test(dataId)) {
      return { kind: 'ignored' };
    }
    const stale = Math.abs(now.getTime() - signedAtMs(ts)) > this.config.paymentCallbackWindowSeconds * 1_000;
    return { kind: 'genuine', paymentId: dataId, stale };
  }

  private call(
    method: 'GET' | 'POST',
    path: string,
    options: { body?: object; key?: string; allowed?: number[] } = {},
  ): ReturnType<ProviderHttp['call']> {
    const { paymentProviderUrl, paymentAccessToken } = this.config;
    const headers = {
      authorization: `Bearer ${paymentAccessToken}`,
      ...(options.key === undefined ? {} : { 'x-idempotency-key': options.key }),
    };
    return this.http.call({ method, url: `${paymentProviderUrl.replace(/\/+$/, '')}${path}`, headers, ...options });
  }

  private read<T>(reader: (body: unknown) => T, body: unknown): T {
    try {
      return reader(body);
    } catch (error) {
      throw new PaymentProviderUnavailable(
        'The payment provider answered something unknown: try again.',
        {},
        {},
        error,
      );
    }
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
