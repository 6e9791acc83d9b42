import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Mailbox, startMailbox } from '@constancia/dev-servers/mailbox';
import { SignatureV4 } from '@smithy/signature-v4';
import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { awsSignature } from './aws-signature.ts';
import { ONE_MESSAGE, smsText } from './sms-text.ts';
import { SmsSender } from './sms-sender.ts';
import { type CodeMessage, TextMessages } from './text-messages.ts';
import { WhatsAppSender } from './whatsapp-sender.ts';

const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a secret', sessionToken: 'a session' };

let sink: Mailbox;
let texts: TextMessages;
beforeAll(async () => {
  sink = await startMailbox();
  texts = sendersTo(sink.url);
});
afterAll(() => sink.close());

function sendersTo(url: string): TextMessages {
  return new TextMessages({
    sms: new SmsSender({
      region: 'us-east-1',
      endpoint: url,
      originationIdentity: 'CONSTANCIA',
      configurationSet: 'codes',
      credentials: () => Promise.resolve(CREDENTIALS),
    }),
    whatsapp: new WhatsAppSender({
      url: `${url}/v23.0`,
      phoneNumberId: '106540352242922',
      accessToken: 'EAAJB',
      template: 'sign_code',
      languages: { 'es-CO': 'es', en: 'en_US' },
    }),
  });
}

const messageTo = (to: string, changes: Partial<CodeMessage> = {}): CodeMessage => ({
  ...{ to, code: '123456', sender: 'Cooperativa La Ceiba', locale: 'es-CO' },
  expiresAt: new Date(Date.now() + 600_000),
  ...changes,
});

describe('codes to phones', () => {
  let number = 0;
  let to: string;
  beforeEach(() => {
    to = `+57300555${String(++number).padStart(4, '0')}`;
  });

  it('are taken by the text message service and by WhatsApp in the form that these ask for', async () => {
    await texts.send('sms', messageTo(to));
    await texts.send('whatsapp', messageTo(to, { locale: 'en' }));
    expect(texts.channels).toEqual(['sms', 'whatsapp']);
    expect(sink.texts(to).map(({ channel, text }) => [channel, text])).toEqual([
      ['whatsapp', '123456 (sign_code, en_US)'],
      [
        'sms',
        '123456 es su clave para firmar un documento de Cooperativa La Ceiba. Vence en 10 minutos. No la comparta.',
      ],
    ]);
    const page = await (await fetch(`${sink.url}/?to=${encodeURIComponent(to)}`)).text();
    expect(page).toContain('Mensajes a teléfonos');
    expect(page).toContain('123456 es su clave');
    const answered = await (await fetch(`${sink.url}/texts?to=${encodeURIComponent(to)}`)).json();
    expect(answered).toHaveLength(2);
  });

  it.each([
    ['sms', 'throttled', 'ThrottlingException', true],
    ['sms', 'unavailable', 'InternalServerException', true],
    ['sms', 'invalid', 'ValidationException INVALID_PARAMETER', false],
    ['sms', 'opted_out', 'ConflictException DESTINATION_PHONE_NUMBER_OPTED_OUT', false],
    ['whatsapp', 'throttled', 'WhatsApp 130429', true],
    ['whatsapp', 'unavailable', 'WhatsApp 131000', true],
    ['whatsapp', 'invalid', 'WhatsApp 131026', false],
    ['whatsapp', 'opted_out', 'WhatsApp 131050', false],
  ] as const)('by %s that are answered with %s report %s', async (channel, fault, reason, retryable) => {
    sink.failTexts(fault);
    const failed = await texts.send(channel, messageTo(to)).catch((error: unknown) => error);
    expect(failed).toMatchObject({ name: 'TextMessageUnavailable', reason, retryable });
    expect(JSON.stringify(failed) + String(failed)).not.toContain(to.slice(1));
    expect(sink.texts(to)).toEqual([]);
  });

  it('may be sent again after a service that answers nothing, nonsense or another address', async () => {
    const answers: http.RequestListener[] = [
      (_, response) => response.destroy(),
      (_, response) => response.writeHead(502).end('<html>'),
      (_, response) => response.writeHead(307, { location: sink.url }).end(),
    ];
    const server = http.createServer((request, response) => answers.shift()?.(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const broken = sendersTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const outcomes = [];
    for (const channel of ['sms', 'whatsapp', 'whatsapp'] as const) {
      outcomes.push(await broken.send(channel, messageTo(to)).catch((error: unknown) => error));
    }
    server.close();
    expect(outcomes).toMatchObject([
      { retryable: true },
      { reason: 'HTTP 502', retryable: true },
      { reason: 'HTTP 307', retryable: false },
    ]);
    expect(sink.texts(to)).toEqual([]);
  });

  it('have a signature of AWS that another implementation makes of the same request', async () => {
    class Sha256 {
      private readonly hash;
      constructor(secret?: Uint8Array) {
        this.hash = secret ? createHmac('sha256', secret) : createHash('sha256');
      }
      update(data: Uint8Array | string): void {
        this.hash.update(data);
      }
      digest(): Promise<Uint8Array> {
        return Promise.resolve(this.hash.digest());
      }
    }
    const now = new Date('2026-11-27T20:15:30.123Z');
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'A.B' };
    const post = { host: 'sms-voice.us-east-1.amazonaws.com', region: 'us-east-1', service: 'sms-voice' };
    const other = new SignatureV4({
      ...{ credentials: CREDENTIALS, region: post.region, service: post.service, sha256: Sha256 as never },
      applyChecksum: false,
    });
    const request = {
      ...{ method: 'POST', protocol: 'https:', hostname: post.host, path: '/', query: {}, body: '{"a":"ñ"}' },
      headers: { ...headers, host: post.host },
    };
    const { headers: signed } = await other.sign(request, { signingDate: now });
    const own = awsSignature({ ...post, headers, body: request.body }, CREDENTIALS, now);
    expect(own.authorization).toBe(signed.authorization);
    expect(own['x-amz-date']).toBe(signed['x-amz-date']);
  });

  it.each(['Banco Ñandú S.A.S.', 'Müller & Søn «Crédito»', '日本', 'x'.repeat(120)])(
    'of %s are one message in the letters of every network',
    (sender) => {
      for (const locale of ['es-CO', 'en'] as const) {
        const text = smsText({ code: '123456', sender, locale });
        expect(text.length).toBeLessThanOrEqual(ONE_MESSAGE);
        expect(text).toMatch(/^[A-Za-z0-9 .,&ÑñÜüé]+$/);
        expect(text).not.toContain('..');
      }
    },
  );
});
