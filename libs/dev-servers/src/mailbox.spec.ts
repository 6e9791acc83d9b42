import { spawn } from 'node:child_process';
import http from 'node:http';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailbox } from './mailbox.mjs';
import { listPage, mailPage } from './mailbox-pages.mjs';
import type { Mailbox, ReceivedMail } from './mailbox.mjs';

async function send(mailbox: Mailbox, mail: { to: string | string[]; subject?: string; text?: string; html?: string }) {
  const transport = createTransport({ url: mailbox.smtpUrl });
  await transport.sendMail({ from: 'app@example.org', subject: 'Hello', ...mail });
  transport.close();
}

describe('the development mailbox', () => {
  let mailbox: Mailbox;
  beforeAll(async () => {
    mailbox = await startMailbox();
  });
  afterAll(() => mailbox.close());

  const page = async (where: string, language = 'es-CO') =>
    fetch(`${mailbox.url}${where}`, { headers: { 'accept-language': language } });

  it('answers the mails of one address, newest first', async () => {
    await send(mailbox, { to: 'Ana@Example.org', subject: 'first', text: 'one' });
    await send(mailbox, { to: 'bob@example.org', subject: 'other', text: 'two' });
    await send(mailbox, {
      to: ['ana@example.org', 'bob@example.org'],
      subject: 'second',
      text: 'three',
      html: '<i>3</i>',
    });
    const found = (await (await page('/messages?to=ana@example.org')).json()) as ReceivedMail[];
    expect(found.map(({ subject }) => subject)).toEqual(['second', 'first']);
    expect(Object.keys(found[0] ?? {}).sort()).toEqual(['html', 'received_at', 'subject', 'text', 'to']);
    expect(await (await page('/messages?to=nobody@example.org')).json()).toEqual([]);
  });

  it('shows people a page in Spanish or English, without script', async () => {
    await send(mailbox, { to: 'ver@example.org', subject: '<b>Código</b>', text: 'ver https://example.org/a?b=1&c=2' });
    const spanish = await (await page('/')).text();
    expect(spanish).toContain('lang="es-CO"');
    expect(spanish).toContain('Buzón de desarrollo');
    expect(spanish).toContain('&#60;b&#62;Código');
    expect(spanish).not.toMatch(/<script|<b>Código/);
    expect(await (await page('/', 'en-GB')).text()).toContain('Development mailbox');
    expect(await (await page('/?lang=en&to=nobody@example.org')).text()).toContain('no mails to this address');
  });

  it('shows times as clocks in Colombia do, whatever the zone of the machine', async () => {
    const mail = { id: 1, to: 'a@example.org', from: 'b@example.org', subject: 'x', text: 'x', html: '' };
    const late = { ...mail, received_at: '2026-11-22T03:04:05.000Z' };
    const zone = process.env.TZ;
    process.env.TZ = 'Asia/Tokyo';
    try {
      expect(listPage([late], { language: 'es', to: '' })).toMatch(
        /21\/11\/2026, 10:04:05\sp\.\sm\.<.*\(hora de Colombia\)/,
      );
      expect(mailPage(late, { language: 'en' })).toMatch(/Nov 21, 2026, 10:04:05\sPM<.*\(Colombia time\)/);
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  it('shows an HTML mail in a frame that runs nothing and loads nothing', async () => {
    const html = '<script>top.stolen = 1</script><img src="https://elsewhere.example/pixel.png">" onload="x';
    await send(mailbox, { to: 'frame@example.org', subject: 'framed', text: 'see https://example.org/x', html });
    const list = await (await page('/?to=frame@example.org')).text();
    const link = /href="(\/mail\/\d+\?lang=es)"/.exec(list)?.[1] ?? '';
    const response = await page(link);
    const body = await response.text();
    expect(body).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"');
    expect(body).not.toContain('<script');
    expect(body).not.toContain('" onload="');
    expect(body).toContain('<a href="https://example.org/x"');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect((await page('/mail/999999')).status).toBe(404);
  });

  it('keeps a bounded number of mails', async () => {
    const small = await startMailbox();
    const transport = createTransport({ url: small.smtpUrl, pool: true, maxConnections: 1, maxMessages: Infinity });
    for (let i = 0; i < 510; i++) {
      await transport.sendMail({ from: 'a@example.org', to: 'b@example.org', subject: `${i}`, text: 'x' });
    }
    expect(small.messages()).toHaveLength(500);
    expect(small.messages()[0]?.subject).toBe('509');
    transport.close();
    await small.close();
  });

  it('refuses a mail that is too large', async () => {
    const before = mailbox.messages().length;
    await expect(send(mailbox, { to: 'big@example.org', text: 'x'.repeat(3 * 1024 * 1024) })).rejects.toThrow();
    expect(mailbox.messages()).toHaveLength(before);
  });

  it('listens on loopback only, and answers to no other name', async () => {
    await expect(startMailbox({ host: '0.0.0.0' })).rejects.toThrow(/loopback/);
    const status = await new Promise((resolve, reject) => {
      http
        .get(`${mailbox.url}/messages`, { headers: { host: 'evil.example' } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
        .once('error', reject);
    });
    expect(status).toBe(403);
  });

  it('runs as a process that says in one line where it is, and ends on SIGTERM', async () => {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'mailbox.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const line = await new Promise<string>((resolve) =>
      child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    const { url, ready } = JSON.parse(line) as { url: string; ready: boolean };
    expect(ready).toBe(true);
    expect(await (await fetch(`${url}/messages`)).json()).toEqual([]);
    child.kill('SIGTERM');
    expect(await new Promise((resolve) => child.once('exit', (code) => resolve(code)))).toBe(0);
  });
});
