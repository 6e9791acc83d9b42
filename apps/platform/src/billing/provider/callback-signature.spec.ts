import { callbackRequest } from '@constancia/dev-servers/payment-callbacks';
import { WebhookSignatureValidator } from 'mercadopago';
import { describe, expect, it } from 'vitest';
import type { PlatformConfig } from '../../config.ts';
import { parseSignature, signatureOf, signedAtMs, signedText } from './callback-signature.ts';
import { MercadoPago } from './mercado-pago.ts';
import type { ProviderHttp } from './provider-http.ts';

const SECRET = 'a-secret-of-the-provider';
const NOW = Date.parse('2026-11-24T12:00:00Z');
const NOTIFICATION_URL = 'https://api.example.com/v1/billing/callbacks/mercadopago';

const config = { paymentWebhookSecrets: [SECRET, 'the-former-secret-1'], paymentCallbackWindowSeconds: 300 };
const provider = new MercadoPago(config as PlatformConfig, undefined as unknown as ProviderHttp);

function verdict(
  facts: Partial<Parameters<typeof callbackRequest>[0]> = {},
  change: (url: URL, headers: Record<string, string>) => void = () => {},
) {
  const request = callbackRequest({
    notificationUrl: NOTIFICATION_URL,
    paymentId: 'PAY01AbC',
    secret: SECRET,
    at: NOW,
    ...facts,
  });
  const url = new URL(request.url);
  change(url, request.headers);
  return provider.verifyCallback(
    { query: Object.fromEntries(url.searchParams), headers: request.headers },
    new Date(NOW),
  );
}

const genuine = (stale = false) => ({ kind: 'genuine', paymentId: 'PAY01AbC', stale });

describe('the signature of a callback', () => {
  it('covers id, request id and time, each with a semicolon, and leaves out what is missing', () => {
    expect(signedText({ dataId: '42', requestId: 'r-1', ts: '1700000000' })).toBe(
      'id:42;request-id:r-1;ts:1700000000;',
    );
    expect(signedText({ dataId: undefined, requestId: 'r-1', ts: '1' })).toBe('request-id:r-1;ts:1;');
    expect(signedText({ dataId: '42', requestId: undefined, ts: '1' })).toBe('id:42;ts:1;');
  });

  it.each([
    ['as received', {}],
    ['with the id in lower case', { faults: { letter_case: 'lower' } }],
    ['with the id in upper case', { faults: { letter_case: 'upper' } }],
    ['with the time in milliseconds', { faults: { unit: 'ms' } }],
    ['by the secret that is being replaced', { secret: 'the-former-secret-1' }],
    ['299 s ago', { at: NOW - 299_000 }],
    ['299 s ahead', { at: NOW + 299_000 }],
  ])('holds when it was made %s', (_, facts) => {
    expect(verdict(facts as never)).toEqual(genuine());
  });

  it('holds without the parts that the request lacks', () => {
    const v1 = signatureOf(SECRET, { dataId: 'PAY01AbC', requestId: undefined, ts: String(NOW / 1_000) });
    const headers = { 'x-signature': `ts=${NOW / 1_000},v1=${v1}` };
    expect(provider.verifyCallback({ query: { 'data.id': 'PAY01AbC' }, headers }, new Date(NOW))).toEqual(genuine());
  });

  it.each([
    ['301 s ago', { at: NOW - 301_000 }],
    ['four days ago, in milliseconds', { at: NOW - 4 * 86_400_000, faults: { unit: 'ms' } }],
    ['301 s ahead', { at: NOW + 301_000 }],
  ])('is stale when it was made %s', (_, facts) => {
    expect(verdict(facts as never)).toEqual(genuine(true));
  });

  it.each([
    ['of another secret', { secret: 'somebody-else' }, undefined],
    ['of another payment', {}, (url: URL) => url.searchParams.set('data.id', 'PAY02')],
    ['of another request', {}, (_: URL, headers: Record<string, string>) => (headers['x-request-id'] = 'other')],
    [
      'of another time',
      {},
      (_: URL, headers: Record<string, string>) => {
        headers['x-signature'] = headers['x-signature']?.replace(/ts=\d+/, `ts=${NOW / 1_000 - 1}`) ?? '';
      },
    ],
    ['without the id that it covers', {}, (url: URL) => url.searchParams.delete('data.id')],
  ])('is forged when it is %s', (_, facts, change) => {
    expect(verdict(facts, change as never)).toEqual({ kind: 'forged' });
  });

  it.each(['', 'ts=1700000000', 'v1=00', 'ts=now,v1=' + '0'.repeat(64), 'ts=1700000000,v1=' + 'g'.repeat(64)])(
    'cannot be read from %j',
    (header) => {
      expect(parseSignature(header)).toBeNull();
      const answer = provider.verifyCallback({ query: {}, headers: { 'x-signature': header } });
      expect(answer.kind).toBe('malformed');
    },
  );

  it('is of no interest when it is about something else than a payment', () => {
    expect(verdict({}, (url) => url.searchParams.set('type', 'merchant_order'))).toEqual({ kind: 'ignored' });
  });

  it('tells seconds from milliseconds', () => {
    expect(signedAtMs('1700000000')).toBe(1_700_000_000_000);
    expect(signedAtMs('1700000000123')).toBe(1_700_000_000_123);
  });
});

describe("the provider's own library", () => {
  const validate = (
    facts: Partial<Parameters<typeof callbackRequest>[0]>,
    secret = SECRET,
    toleranceSeconds?: number,
  ) => {
    const { url, headers } = callbackRequest({
      notificationUrl: NOTIFICATION_URL,
      paymentId: '114600000042',
      secret: SECRET,
      ...facts,
    });
    WebhookSignatureValidator.validate({
      xSignature: headers['x-signature'] as string,
      xRequestId: headers['x-request-id'] as string,
      dataId: new URL(url).searchParams.get('data.id') as string,
      secret,
      ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
    });
  };

  it('takes what the simulator signs, and refuses what another secret signed', () => {
    expect(() => validate({})).not.toThrow();
    expect(() => validate({}, 'another-secret')).toThrow();
  });

  it('refuses a time in milliseconds within its tolerance, which we take', () => {
    const at = Date.now();
    expect(() => validate({ at, faults: { unit: 's' } }, SECRET, 300)).not.toThrow();
    expect(() => validate({ at, faults: { unit: 'ms' } }, SECRET, 300)).toThrow();
  });
});
