import net from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMailbox } from '@constancia/dev-servers/mailbox';
import type { Mailbox } from '@constancia/dev-servers/mailbox';
import { MailUnavailable, Mailer } from './index.ts';

describe('a mail', () => {
  let mailbox: Mailbox;
  let mailer: Mailer;

  beforeAll(async () => {
    mailbox = await startMailbox();
    mailer = new Mailer({ smtpUrl: mailbox.smtpUrl, from: 'Constancia <no-reply@constancia.example>' });
  });
  afterAll(async () => {
    await mailer.close();
    await mailbox.close();
  });

  const mail = (to: string, more: Partial<Parameters<Mailer['send']>[0]> = {}) => ({
    to,
    subject: 'Su código',
    text: 'El código es 123456\nrec_abc\n',
    html: '<p>El código es <b>123456</b></p>',
    ...more,
  });

  it('arrives with its text and its HTML, also when they are not ASCII', async () => {
    await mailer.send(mail('ana@example.org', { subject: 'Notificación: firmó José Ñáñez 你好' }));
    const [received] = mailbox.messages('ana@example.org');
    expect(received?.to).toBe('ana@example.org');
    expect(received?.subject).toBe('Notificación: firmó José Ñáñez 你好');
    expect(received?.text).toBe('El código es 123456\nrec_abc\n');
    expect(received?.html.trim()).toBe('<p>El código es <b>123456</b></p>');
    expect(Date.now() - Date.parse(received?.received_at ?? '')).toBeLessThan(5_000);
  });

  it('keeps a token on a line of its own whole, however long the line is', async () => {
    const token = `rec_${'a1B2'.repeat(60)}`;
    await mailer.send(mail('token@example.org', { text: `Uno\n\n${token}\n\nDos ñ\n` }));
    expect(mailbox.messages('token@example.org')[0]?.text.split('\n')).toContain(token);
  });

  it.each([
    ['a line break in the subject', { subject: 'Hi\r\nBcc: eve@example.org\r\n\r\nbody' }],
    ['a lone line feed in the subject', { subject: 'Hi\nBcc: eve@example.org' }],
    ['a Unicode line separator in the subject', { subject: 'Hi\u2028Bcc: eve@example.org' }],
  ])('cannot get another header or receiver by %s', async (_case, more) => {
    await mailer.send(mail('bob@example.org', more));
    expect(mailbox.messages('eve@example.org')).toEqual([]);
    const [received] = mailbox.messages('bob@example.org');
    expect(received?.subject).toMatch(/^Hi Bcc: eve@example\.org/);
    expect(received?.text).toContain('123456');
  });

  it.each([
    'bob@example.org\r\nBcc: eve@example.org',
    'bob@example.org, eve@example.org',
    'Eve <eve@example.org>',
    'bob@example.org;eve@example.org',
    '"a b"@example.org',
    'bob',
    '',
    '@example.org',
    'bob@',
    `bob@example.org\u0000`,
  ])('goes to nobody when the address is %j', async (to) => {
    const before = mailbox.messages().length;
    await expect(mailer.send(mail(to))).rejects.toThrow('not a mail address');
    expect(mailbox.messages()).toHaveLength(before);
  });

  it('is sent in some milliseconds over kept connections', async () => {
    await mailer.send(mail('warm@example.org'));
    const started = performance.now();
    for (let i = 0; i < 20; i++) await mailer.send(mail('fast@example.org'));
    expect((performance.now() - started) / 20).toBeLessThan(50);
    expect(mailbox.messages('fast@example.org')).toHaveLength(20);
  });

  it('throws MailUnavailable when nobody listens, and the words hold no address', async () => {
    const gone = new Mailer({ smtpUrl: 'smtp://127.0.0.1:1', from: 'a@b.example' });
    const error = await gone.send(mail('ana@example.org')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MailUnavailable);
    expect((error as MailUnavailable).retryable).toBe(true);
    expect(String(error)).not.toContain('ana@');
    await expect(gone.ping()).rejects.toThrow(MailUnavailable);
    await gone.close();
  });

  it('throws MailUnavailable when the server says nothing', async () => {
    const sockets: net.Socket[] = [];
    const silent = net.createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as net.AddressInfo;
    const waiting = new Mailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'a@b.example', timeoutMs: 300 });
    await expect(waiting.send(mail('ana@example.org'))).rejects.toThrow(MailUnavailable);
    await waiting.close();
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it('goes out again over a new connection after the server came back on its port', async () => {
    let server = await startMailbox();
    const steady = new Mailer({ smtpUrl: server.smtpUrl, from: 'a@b.example' });
    await steady.send(mail('one@example.org'));
    const { smtpPort } = server;
    await server.close();
    await expect(steady.send(mail('two@example.org'))).rejects.toThrow(MailUnavailable);
    server = await startMailbox({ smtpPort });
    await steady.send(mail('three@example.org'));
    expect(server.messages().map(({ to }) => to)).toEqual(['three@example.org']);
    await steady.close();
    await server.close();
  });

  it('says that a machine wrote it, and keeps the Message-ID that it is given', async () => {
    const raw: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      closeTimeout: 100,
      onData(stream, _session, callback) {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          raw.push(Buffer.concat(parts).toString());
          callback();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.server.address() as net.AddressInfo;
    const named = new Mailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'Constancia <no-reply@constancia.example>' });
    await named.send(mail('ana@example.org', { id: '0198f3b2-0000-7000-8000-000000000001' }));
    expect(raw[0]).toMatch(/^Message-ID: <0198f3b2-0000-7000-8000-000000000001@constancia\.example>\r$/m);
    expect(raw[0]).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    await named.close();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
});
