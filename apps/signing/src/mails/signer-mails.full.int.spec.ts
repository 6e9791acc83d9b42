import { uuidOf } from '@constancia/kernel';
import { Database, verifyChain } from '@constancia/persistence';
import { eventually } from '@constancia/testing';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AuditPage } from '../envelopes/audit-view.ts';
import type { CreatedEnvelopeView } from '../envelopes/envelope-view.ts';
import { MailBench } from './mail-bench.fixture.ts';
import { SignerMailLoop } from './signer-mail-loop.ts';
import { SignerMails } from './signer-mails.ts';

const bench = new MailBench();

beforeAll(() => bench.open());
beforeEach(() => bench.useTenant());
afterEach(() => bench.endTest());
afterAll(() => bench.close());

const subjectsTo = (to: string) => bench.mailbox?.messages(to).map(({ subject }) => subject);
/** The mails to buyers whose address begins so, and to their sellers. */
const mailsTo = (buyers: string) =>
  (bench.mailbox?.messages() ?? []).filter(({ to }) => to.startsWith(buyers) || to.startsWith(`s-${buyers}`));

test('an invitation goes to those whose turn it is, with their own link; the trail and the envelope say so', async () => {
  await bench.openMailbox();
  const envelope = await bench.send('ana@example.org', { message: 'Por favor,\nantes del viernes.' });
  const [mail] = await bench.received('ana@example.org');
  const [{ display_name: sender } = { display_name: '' }] = await bench.database.query<{ display_name: string }>(
    'select display_name from platform.tenant where id = $1',
    [bench.tenant.id],
  );
  expect(mail?.subject).toBe(`${sender} le pide firmar: Compraventa`);
  expect(mail?.text).toContain(`\n${envelope.signers[0]?.sign_url}\n`);
  expect(mail?.text).toContain('> Por favor,\n> antes del viernes.');
  expect(mail?.html).toContain(`href="${envelope.signers[0]?.sign_url}"`);
  expect(mail?.text).not.toContain(envelope.signers[1]?.sign_token);
  expect(bench.mailbox?.messages('s-ana@example.org')).toEqual([]);
  await eventually(async () => {
    const { signers } = await bench.show(envelope);
    expect(signers.map(({ notification }) => notification?.status ?? null)).toEqual(['sent', null]);
  });
  const audit = await bench.app.call<AuditPage>(`/v1/envelopes/${envelope.id}/audit`, { key: bench.tenant.apiKey });
  expect(audit.body.data).toMatchObject([
    { type: 'envelope.sent' },
    { type: 'signer.notified', signer_id: envelope.signers[0]?.id, role: 'buyer', data: { mail: 'invitation' } },
  ]);
  expect(verifyChain(audit.body.data).valid).toBe(true);
});

test('with notify: false nobody is written to, but for a reminder that is asked for', async () => {
  await bench.openMailbox();
  const envelope = await bench.send('quiet@example.org', { notify: false, locale: 'en', subject: 'Flat 301' });
  await bench.post(`${envelope.id}/signers/${envelope.signers[0]?.id}/remind`);
  const [mail] = await bench.received('quiet@example.org');
  expect(mail?.subject).toMatch(/^Reminder from .*: Flat 301 awaits your signature$/);
  await bench.post(`${envelope.id}/void`, { reason: 'x' });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(bench.mailbox?.messages('quiet@example.org')).toHaveLength(1);
});

test('while the mail server cannot be reached nothing is held up; once it is back all arrive, each once', async () => {
  const began = performance.now();
  const envelopes = await Promise.all(Array.from({ length: 25 }, (_, n) => bench.send(`away-${n}@example.org`)));
  expect(performance.now() - began).toBeLessThan(15_000);
  await eventually(async () => {
    const [row] = await bench.database.query<{ tried: number }>(
      `select count(*) filter (where attempts > 0 and failure is not null)::int as tried from signing.signer_mail where tenant_id = $1`,
      [bench.tenant.id],
    );
    expect(row?.tried).toBe(25);
  });
  expect((await bench.show(envelopes[0] as CreatedEnvelopeView)).signers[0]?.notification?.status).toBe('pending');
  await bench.openMailbox();
  await eventually(() => expect(mailsTo('away-')).toHaveLength(25), 30_000);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  for (let n = 0; n < 25; n++) expect(bench.mailbox?.messages(`away-${n}@example.org`)).toHaveLength(1);
});

test('several processes send each mail once between them', async () => {
  await bench.openMailbox();
  const others = await Promise.all([bench.startApp(), bench.startApp()]);
  await Promise.all(Array.from({ length: 60 }, (_, n) => bench.send(`many-${n}@example.org`)));
  await eventually(() => expect(mailsTo('many-').length).toBeGreaterThanOrEqual(60), 30_000);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(mailsTo('many-')).toHaveLength(60);
  await eventually(async () => {
    const [row] = await bench.database.query<{ notified: number }>(
      `select count(*)::int as notified from signing.envelope_event where tenant_id = $1 and type = 'signer.notified'`,
      [bench.tenant.id],
    );
    expect(row?.notified).toBe(60);
  });
  await Promise.all(others.map((other) => other.close()));
}, 60_000);

/** A mail server that answers as configured. */
async function answering(code: number): Promise<{ close(): Promise<void>; asked: () => number }> {
  let asked = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    onRcptTo: (_, __, callback) => {
      asked++;
      callback(Object.assign(new Error('no'), { responseCode: code }));
    },
  });
  await new Promise<void>((resolve) => server.listen(bench.smtpPort, '127.0.0.1', resolve));
  return { close: () => new Promise((resolve) => server.close(() => resolve())), asked: () => asked };
}

test('a mailbox that the server refuses for good is seen in the envelope, and not tried again', async () => {
  const server = await answering(550);
  const envelope = await bench.send('gone@example.org');
  await eventually(async () => {
    expect((await bench.show(envelope)).signers[0]?.notification).toMatchObject({
      kind: 'invitation',
      status: 'failed',
      failure: 'SMTP 550',
    });
  });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(server.asked()).toBe(1);
  expect((await bench.show(envelope)).status).toBe('sent');
  await server.close();
});

test('a mail that was put off is due soon, though the clock of the process is an hour ahead', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  try {
    await bench.send('ahead@example.org');
    await vi.waitFor(async () => {
      const [row] = await bench.database.query<{ soon: boolean }>(
        `select due_at < clock_timestamp() + interval '1 minute' as soon from signing.signer_mail
          where tenant_id = $1 and failure is not null`,
        [bench.tenant.id],
      );
      expect(row).toEqual({ soon: true });
    }, 10_000);
  } finally {
    vi.useRealTimers();
  }
});

test('a refusal for now is tried again, until it is a day old', async () => {
  const server = await answering(451);
  const envelope = await bench.send('later@example.org');
  await eventually(() => expect(server.asked()).toBeGreaterThanOrEqual(2), 20_000);
  expect((await bench.show(envelope)).signers[0]?.notification?.status).toBe('pending');
  await bench.database.query(
    `update signing.signer_mail set created_at = now() - interval '25 hours', due_at = now() where tenant_id = $1`,
    [bench.tenant.id],
  );
  await eventually(async () => {
    const [signer] = (await bench.show(envelope)).signers;
    expect(signer?.notification).toMatchObject({ status: 'failed', failure: 'SMTP 451' });
  });
  await server.close();
});

describe('a code', () => {
  const enqueue = async (envelope: CreatedEnvelopeView, secret: string, expiresAt: Date) => {
    const own = await Database.connect({ url: bench.database.app('signing'), applicationName: 'mail-tests' });
    const row = { id: uuidOf('env', envelope.id) ?? '', tenant_id: bench.tenant.id };
    const signer = { id: uuidOf('sgn', envelope.signers[0]?.id ?? '') ?? '' };
    await own.tenant(bench.tenant.id, (tx) =>
      bench.app.app
        .get(SignerMails)
        .enqueue(tx, { kind: 'otp', envelope: row, signer, secret, dedupe: `otp:${secret}`, expiresAt }),
    );
    await own.close();
    bench.app.app.get(SignerMailLoop).wake();
  };
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

  test('goes out at once, not in the subject, and is kept nowhere afterwards', async () => {
    await bench.openMailbox();
    const envelope = await bench.send('code@example.org', { notify: false });
    await enqueue(envelope, '730194', inMinutes(10));
    const [mail] = await bench.received('code@example.org');
    expect(mail?.text.split('\n')).toContain('730194');
    expect(mail?.html).toContain('730194');
    expect(mail?.subject).toBe('Su código para firmar Compraventa');
    await eventually(async () => {
      const [row] = await bench.database.query(
        `select secret, sent_at from signing.signer_mail where dedupe = 'otp:730194'`,
      );
      expect(row).toEqual({ secret: null, sent_at: expect.any(Date) });
    });
    const audit = await bench.app.call(`/v1/envelopes/${envelope.id}/audit`, { key: bench.tenant.apiKey });
    expect(audit.bytes.toString()).not.toContain('730194');
  });

  test('is kept sealed while it waits, and of several that wait the last one is sent; one that is over is not', async () => {
    const envelope = await bench.send('late@example.org', { notify: false });
    await enqueue(envelope, '111111', inMinutes(10));
    await enqueue(envelope, '222222', inMinutes(10));
    const rows = await bench.database.query<{ secret: Buffer }>(
      'select secret from signing.signer_mail where tenant_id = $1',
      [bench.tenant.id],
    );
    for (const { secret } of rows) expect(secret.toString('latin1')).not.toMatch(/111111|222222/);
    const other = await bench.send('over@example.org', { notify: false });
    await enqueue(other, '333333', inMinutes(-1));
    await bench.openMailbox();
    const [mail] = await bench.received('late@example.org');
    expect(mail?.text).toContain('222222');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect([...mailsTo('late@'), ...mailsTo('over@')]).toHaveLength(1);
    const left = await bench.database.query(
      'select 1 from signing.signer_mail where tenant_id = $1 and secret is not null',
      [bench.tenant.id],
    );
    expect(left).toEqual([]);
  });
});

describe('how an envelope ended', () => {
  const ended = async ({ id }: CreatedEnvelopeView, kind: string) => {
    await bench.database.query('select signing.enqueue_envelope_mails($1, $2, $3)', [
      bench.tenant.id,
      uuidOf('env', id),
      kind,
    ]);
    await bench.database.query('select signing.enqueue_envelope_mails($1, $2, $3)', [
      bench.tenant.id,
      uuidOf('env', id),
      kind,
    ]);
    bench.app.app.get(SignerMailLoop).wake();
  };

  test('voided: mailed to those who were written to, once', async () => {
    await bench.openMailbox();
    const envelope = await bench.send('void@example.org');
    await bench.received('void@example.org');
    await eventually(async () => expect((await bench.show(envelope)).signers[0]?.notification?.status).toBe('sent'));
    await bench.post(`${envelope.id}/void`, { reason: 'Otro precio' });
    const [mail] = await bench.received('void@example.org', 2);
    expect(mail?.subject).toBe('Anulado: Compraventa');
    expect(mail?.text).toContain('Motivo: Otro precio');
    expect(mail?.text).not.toContain('http://sign.test');
    expect(bench.mailbox?.messages('s-void@example.org')).toEqual([]);
  });

  test('an invitation that is not out when the envelope ends does not go out any more', async () => {
    const envelope = await bench.send('never@example.org');
    await bench.post(`${envelope.id}/void`, { reason: 'x' });
    await bench.openMailbox();
    await eventually(async () => {
      const rows = await bench.database.query<{ failure: string }>(
        'select failure from signing.signer_mail where tenant_id = $1 and failed_at is not null',
        [bench.tenant.id],
      );
      expect(rows.map(({ failure }) => failure)).toEqual(['not_needed', 'not_needed']);
    });
    expect(mailsTo('never@')).toEqual([]);
    expect((await bench.show(envelope)).signers[0]?.notification).toBeNull();
  });

  test('declined: mailed to the others who were written to; completed: to all, with their links', async () => {
    await bench.openMailbox();
    const declined = await bench.send('no@example.org');
    const sealed = await bench.send('yes@example.org');
    const asIfNotified = (id: string) =>
      bench.database.query(
        `insert into signing.signer_mail (id, tenant_id, envelope_id, signer_id, kind, dedupe, sent_at)
         select gen_random_uuid(), tenant_id, envelope_id, id, 'invitation', 'test:' || id, now() from signing.envelope_signer
          where envelope_id = $1 and role = 'seller'`,
        [uuidOf('env', id)],
      );
    await bench.received('no@example.org');
    await asIfNotified(declined.id);
    await bench.database.query(
      `update signing.envelope_signer set status = 'declined', decline_reason = 'secreto' where envelope_id = $1 and role = 'buyer'`,
      [uuidOf('env', declined.id)],
    );
    await ended(declined, 'declined');
    await ended(sealed, 'completed');
    const [mail] = await bench.received('s-no@example.org');
    expect(mail?.subject).toBe('No se firmará: Compraventa');
    expect(mail?.text).toContain('Ana decidió no firmar');
    expect(mail?.text).not.toContain('secreto');
    expect(subjectsTo('no@example.org')).toHaveLength(1);
    const [done] = await bench.received('s-yes@example.org');
    expect(done?.subject).toBe('Firmado por todos: Compraventa');
    expect(done?.text).toContain(`\n${sealed.signers[1]?.sign_url}\n`);
    expect(done?.text).toContain((await bench.show(sealed)).verify_url);
    await bench.received('yes@example.org', 2);
  });

  test('expired: mailed to those who were written to', async () => {
    await bench.openMailbox();
    const envelope = await bench.send('slow@example.org');
    await bench.received('slow@example.org');
    await eventually(async () => expect((await bench.show(envelope)).signers[0]?.notification?.status).toBe('sent'));
    await bench.database.query(`update signing.envelope set expires_at = now() where id = $1`, [
      uuidOf('env', envelope.id),
    ]);
    const [mail] = await bench.received('slow@example.org', 2);
    expect(mail?.subject).toBe('Venció el plazo: Compraventa');
  });
});

test('a new link is mailed, and the mail that was to bring the former is not', async () => {
  const envelope = await bench.send('anew@example.org');
  const { body } = await bench.app.call<{ sign_url: string }>(
    `/v1/envelopes/${envelope.id}/signers/${envelope.signers[0]?.id}/rotate-token`,
    { method: 'POST', key: bench.tenant.apiKey },
  );
  await bench.openMailbox();
  const [mail] = await bench.received('anew@example.org');
  expect(mail?.text).toContain(body.sign_url);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  for (const { text } of bench.mailbox?.messages('anew@example.org') ?? [])
    expect(text).not.toContain(envelope.signers[0]?.sign_token);
});
