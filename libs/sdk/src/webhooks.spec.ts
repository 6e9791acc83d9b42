import fs from 'node:fs';
import path from 'node:path';
import { generateWebhookSecret } from '@constancia/auth';
import { signDelivery } from '@constancia/events';
import fc from 'fast-check';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import {
  MalformedDelivery,
  MissingSignature,
  SignatureMismatch,
  TimestampOutOfTolerance,
  verifyServiceSignature,
  verifyStandardWebhook,
} from './webhooks.ts';

const EVENT_ID = '019a0000-0000-7000-8000-000000000001';
const body = JSON.stringify({ event_id: EVENT_ID, module: 'seal', event_type: 'endpoint.test', payload: { ñ: '→' } });
const nowSeconds = () => Math.floor(Date.now() / 1000);

function delivery(options: { secret: string; previousSecret?: string; at?: number; body?: string | Buffer }) {
  const { secret, previousSecret, at } = options;
  return signDelivery(options.body ?? body, {
    secret,
    previousSecret,
    eventId: EVENT_ID,
    timestampSeconds: at ?? nowSeconds(),
  });
}

describe('X-Service-Signature', () => {
  const secret = generateWebhookSecret();
  const header = delivery({ secret })['X-Service-Signature'] as string;

  it('accepts what the service signed, as text or bytes, and answers the event', () => {
    expect(verifyServiceSignature(body, header, secret).event_id).toBe(EVENT_ID);
    expect(verifyServiceSignature(Buffer.from(body), header, secret).payload).toEqual({ ñ: '→' });
  });

  it('refuses a body that was changed by one byte, anywhere', () => {
    fc.assert(
      fc.property(fc.nat({ max: Buffer.byteLength(body) - 1 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const altered = Buffer.from(body);
        altered[at] = (altered[at] as number) ^ flip;
        expect(() => verifyServiceSignature(altered, header, secret)).toThrow(SignatureMismatch);
      }),
    );
  });

  it('distinguishes a missing header from one that is no signature', () => {
    expect(() => verifyServiceSignature(body, undefined, secret)).toThrow(MissingSignature);
    expect(() => verifyServiceSignature(body, 'sha256=abc', secret)).toThrow(MalformedDelivery);
    expect(() => verifyServiceSignature(body, 'md5=0', secret)).toThrow(MalformedDelivery);
  });

  it('during a rotation, accepts by the former secret through the second header, and by either of two secrets', () => {
    const next = generateWebhookSecret();
    const headers = delivery({ secret: next, previousSecret: secret });
    const both = [headers['X-Service-Signature'], headers['X-Service-Signature-Previous']];
    expect(verifyServiceSignature(body, both, secret).event_id).toBe(EVENT_ID);
    expect(verifyServiceSignature(body, both, next).event_id).toBe(EVENT_ID);
    expect(verifyServiceSignature(body, both[0], [secret, next]).event_id).toBe(EVENT_ID);
    expect(() => verifyServiceSignature(body, both[0], secret)).toThrow(SignatureMismatch);
    expect(() => verifyServiceSignature(body, both, generateWebhookSecret())).toThrow(SignatureMismatch);
  });

  it('refuses a signed body that is not an event', () => {
    for (const text of ['nonsense', '42', 'null', '{}']) {
      const signed = delivery({ secret, body: text })['X-Service-Signature'];
      expect(() => verifyServiceSignature(text, signed, secret)).toThrow(MalformedDelivery);
    }
  });
});

describe('Standard Webhooks', () => {
  const secret = generateWebhookSecret();

  it('accepts what the service signed, from fetch or Node headers', () => {
    const headers = delivery({ secret });
    expect(verifyStandardWebhook(body, new Headers(headers), secret).event_id).toBe(EVENT_ID);
    expect(verifyStandardWebhook(Buffer.from(body), headers, secret).event_id).toBe(EVENT_ID);
  });

  it('agrees with the reference library on what that library signs', () => {
    const at = new Date();
    const headers = {
      'webhook-id': EVENT_ID,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(EVENT_ID, at, body),
    };
    expect(verifyStandardWebhook(body, headers, secret).event_id).toBe(EVENT_ID);
  });

  it('agrees with the reference library on every altered delivery', () => {
    const reference = new Webhook(secret);
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'body'] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.nat(),
        fc.constantFrom('0', 'A', ' ', ',', '='),
        (name, position, character) => {
          const headers: Record<string, string> = delivery({ secret });
          const text = name === 'body' ? body : (headers[name] as string);
          const at = position % text.length;
          const altered = text.slice(0, at) + character + text.slice(at + 1);
          const sent = name === 'body' ? altered : body;
          if (name !== 'body') headers[name] = altered;
          expect(accepts(() => verifyStandardWebhook(sent, headers, secret))).toBe(
            accepts(() => reference.verify(sent, headers)),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('during a rotation, accepts by the new and by the former secret, as the reference library does', () => {
    const next = generateWebhookSecret();
    const headers = delivery({ secret: next, previousSecret: secret });
    for (const known of [secret, next]) {
      expect(verifyStandardWebhook(body, headers, known).event_id).toBe(EVENT_ID);
      expect(new Webhook(known).verify(body, headers)).toMatchObject({ event_id: EVENT_ID });
    }
    expect(() => verifyStandardWebhook(body, headers, generateWebhookSecret())).toThrow(SignatureMismatch);
  });

  it('refuses a recorded delivery that is sent again later, and one from the future', () => {
    for (const at of [nowSeconds() - 301, nowSeconds() + 302]) {
      const headers = delivery({ secret, at });
      expect(() => verifyStandardWebhook(body, headers, secret)).toThrow(TimestampOutOfTolerance);
      expect(() => new Webhook(secret).verify(body, headers)).toThrow(WebhookVerificationError);
      expect(verifyStandardWebhook(body, headers, secret, { toleranceSeconds: 600 }).event_id).toBe(EVENT_ID);
    }
  });

  it('reports what is missing or has no form', () => {
    const headers = delivery({ secret });
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      expect(() => verifyStandardWebhook(body, { ...headers, [name]: undefined }, secret)).toThrow(MissingSignature);
    }
    expect(() => verifyStandardWebhook(body, { ...headers, 'webhook-signature': 'v1a,xx' }, secret)).toThrow(
      MalformedDelivery,
    );
    expect(() => verifyStandardWebhook(body, { ...headers, 'webhook-timestamp': '-1' }, secret)).toThrow(
      MalformedDelivery,
    );
  });
});

interface Vector {
  name: string;
  body: string;
  headers: Record<string, string>;
  secret: string | string[];
  now_seconds: number;
  /** What verifyStandardWebhook does with it: `accepted`, or the name of what it throws; and verifyServiceSignature. */
  standard: string;
  service: string;
}

describe('the deliveries that every client is tested with', () => {
  const file = path.join(import.meta.dirname, '../vectors/webhooks.json');
  const vectors = JSON.parse(fs.readFileSync(file, 'utf8')) as Vector[];

  it.each(vectors)('$name', ({ body, headers, secret, now_seconds: nowSeconds, standard, service }) => {
    expect(outcome(() => verifyStandardWebhook(body, headers, secret, { nowSeconds }))).toBe(standard);
    const both = [headers['X-Service-Signature'], headers['X-Service-Signature-Previous']];
    expect(outcome(() => verifyServiceSignature(body, both, secret))).toBe(service);
  });
});

function outcome(run: () => unknown): string {
  try {
    run();
    return 'accepted';
  } catch (error) {
    return (error as Error).name;
  }
}

function accepts(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}
