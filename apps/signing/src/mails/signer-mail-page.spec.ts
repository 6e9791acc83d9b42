import { describe, expect, test } from 'vitest';
import { signerMail } from './signer-mail-page.ts';
import type { SignerMailFacts } from './texts.ts';
import { ENVELOPE_LOCALES } from '../envelope-records/envelope.entity.ts';

const LINK = 'https://sign.example/Q0dN8yXcV1rT3uZ5wB7eF9hK2mP4sA6gJ8lO0iYtRxE';

const facts = (changes: Partial<SignerMailFacts> = {}): SignerMailFacts => ({
  kind: 'invitation',
  locale: 'es-CO',
  sender: 'Notaría <Quinta> & Hijos',
  color: null,
  logoUrl: null,
  title: 'Compraventa "301"',
  message: 'Hola:\n<script>alert(1)</script>',
  name: "Ana O'Ñungo",
  link: LINK,
  verifyLink: 'https://sign.example/verify/3Kq8ZrT0vXn5LmPw2YbC7d',
  expiresAt: new Date('2026-12-01T03:30:00Z'),
  code: '042137',
  codeExpiresAt: new Date('2026-11-21T19:05:00Z'),
  declinedBy: 'Luis <b>',
  envelopeId: 'env_01kamx8c6ne5v8d2w6tq0v1m3z',
  role: 'Buyer',
  email: 'ana@correo.example',
  voidReason: 'Otro precio & plazo',
  attached: false,
  ...changes,
});

const KINDS = ['invitation', 'reminder', 'otp', 'completed', 'declined', 'voided', 'expired', 'not_me'] as const;
const MAILS = ENVELOPE_LOCALES.flatMap((locale) => KINDS.map((kind) => [locale, kind] as const));

describe.each(MAILS)('%s %s', (locale, kind) => {
  const { subject, text, html } = signerMail(facts({ locale, kind }));

  test('names the document, and the sender as it calls itself', () => {
    expect(subject).toContain('Compraventa "301"');
    expect(text).toContain('Notaría <Quinta> & Hijos');
    expect(html).toContain('Notaría &lt;Quinta&gt; &amp; Hijos');
    expect(text).toContain("Ana O'Ñungo");
    expect(html).toContain(`<html lang="${locale}">`);
  });

  test('takes nothing from anywhere, and nothing that people wrote becomes markup', () => {
    expect(html).not.toMatch(/<(?:img|script|link|iframe|style|form|object)\b/i);
    expect(html).not.toMatch(/url\(|@import|\bon\w+=/i);
    expect(html).not.toContain('<b>');
    const addresses = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.every((address) => address === LINK)).toBe(true);
  });

  test('the link is where there is something to sign or see, pressed or read', () => {
    const linked = ['invitation', 'reminder', 'completed'].includes(kind);
    expect(text.split('\n').includes(LINK)).toBe(linked);
    expect(html.split(LINK).length - 1).toBe(linked ? 3 : 0);
  });

  test('the code is in the mail of a code alone, and never in a subject', () => {
    expect(subject).not.toContain('042137');
    expect(text.split('\n').includes('042137')).toBe(kind === 'otp');
    expect(html.includes('042137')).toBe(kind === 'otp');
  });

  test('reads as in the file beside it', async () => {
    await expect(`${subject}\n\n${text}`).toMatchFileSnapshot(`./mails.snapshots/${kind}.${locale}.txt`);
  });
});

test.each(MAILS)('a sentence ends in one full stop, also after names that end in one: %s %s', (locale, kind) => {
  const named = { sender: 'Inmobiliaria Los Cerros S.A.S.', title: 'Contrato con Frailejón S.A.', name: 'Ana O. Jr.' };
  const closed = { declinedBy: 'Luis Peña Jr.', voidReason: 'Lo pidió Frailejón S.A.' };
  const { text, html } = signerMail(facts({ locale, kind, ...named, ...closed }));
  expect(text).toContain('S.A.S.');
  expect(`${text}\n${html}`).not.toMatch(/\.\./);
});

test('times are written in words, in Colombia, whatever the language', () => {
  expect(signerMail(facts()).text).toMatch(
    /lunes, 30 de noviembre de 2026, 10:30 p\.\sm\. \(hora de Colombia, UTC−5\)/,
  );
  expect(signerMail(facts({ locale: 'en' })).text).toMatch(
    /Monday, November 30, 2026 at 10:30\sPM \(Colombia time, UTC−5\)/,
  );
});

test('without a message, a name or a reason nothing stands in their place', () => {
  const bare = { message: null, name: null, voidReason: null, declinedBy: null };
  expect(signerMail(facts(bare)).text).toMatch(/^Hola:\n\n/);
  expect(signerMail(facts({ ...bare, kind: 'voided' })).text).not.toContain('Motivo');
  expect(signerMail(facts({ ...bare, kind: 'declined', locale: 'en' })).text).toContain('One of the signers decided');
});

describe('a mail of a tenant with a brand', () => {
  const logoUrl = `https://firma.example/logos/${'ab'.repeat(32)}.png`;
  const htmlWith = (color: string) => signerMail(facts({ color, logoUrl })).html;

  test('shows its logo, and its colour where white can be read on it', () => {
    const html = htmlWith('#7a1f5c');
    expect(html).toContain(`<img src="${logoUrl}" alt=""`);
    expect(html).toContain('background:#7a1f5c;color:#ffffff');
    expect(htmlWith('#ffcc00')).not.toContain('#ffcc00');
  });
});
