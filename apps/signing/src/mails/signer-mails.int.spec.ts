import { SecretBox, uuidOf } from '@constancia/kernel';
import { Database, verifyChain } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import {
  ContractChecker,
  eventually,
  freePort,
  testDatabase,
  type TestDatabase,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Mailbox, startMailbox } from '../../../../tools/local/mailbox.mjs';
import { publishedCircuit } from '../circuits/circuits.fixture.ts';
import type { AuditPage } from '../envelopes/audit-view.ts';
import type { CreatedEnvelopeView, EnvelopeView } from '../envelopes/envelope-view.ts';
import { sentEnvelope } from '../envelopes/envelopes.fixture.ts';
import { type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import { MailRoom } from './mail-room.ts';
import { SignerMailLoop } from './signer-mail-loop.ts';
import { SignerMails } from './signer-mails.ts';

let database: TestDatabase;
let app: RunningSigning;
let smtpPort: number;
let tenant: TestTenant;
let circuitId: string;
let mailbox: Mailbox | undefined;

/** A process that hands mails to whoever listens on smtpPort: nobody, until a test opens the mailbox. */
function startApp(env: Record<string, string> = {}): Promise<RunningSigning> {
  return runningSigning(database, {
    env: { SMTP_URL: `smtp://127.0.0.1:${smtpPort}`, ...env },
    check: (seen) => ContractChecker.of('signing').check(seen),
  });
}

const openMailbox = async () => (mailbox = await startMailbox({ smtpPort, maxMessages: 5_000 }));

beforeAll(async () => {
  database = await testDatabase();
  smtpPort = await freePort();
  app = await startApp();
});

beforeEach(async () => {
  tenant = await testTenant(database, { credits: 100_000 });
  circuitId = await publishedCircuit(app, tenant.apiKey);
});

/** Nothing that one test leaves is sent in another. */
afterEach(async () => {
  await database.query(`update signing.signer_mail set failed_at = now(), lease_token = null where sent_at is null`);
  await mailbox?.close();
  mailbox = undefined;
});

afterAll(async () => {
  await app?.close();
  await database?.drop();
});

const signers = (buyer: string, seller: string) => [
  { role: 'buyer', email: buyer, name: 'Ana' },
  { role: 'seller', email: seller },
];

const send = (buyer: string, changes: object = {}) =>
  sentEnvelope(app, tenant.apiKey, circuitId, { signers: signers(buyer, `s-${buyer}`), ...changes });

async function show({ id }: { id: string }): Promise<EnvelopeView> {
  return (await app.call<EnvelopeView>(`/v1/envelopes/${id}`, { key: tenant.apiKey })).body;
}

function post(route: string, body?: object) {
  return app.call(`/v1/envelopes/${route}`, { method: 'POST', key: tenant.apiKey, body });
}

const received = (to: string, count = 1) =>
  eventually(() => {
    const messages = mailbox?.messages(to) ?? [];
    expect(messages).toHaveLength(count);
    return messages;
  }, 20_000);

const subjectsTo = (to: string) => mailbox?.messages(to).map(({ subject }) => subject);

test('an invitation goes to those whose turn it is, with their own link; the trail and the envelope say so', async () => {
  await openMailbox();
  const envelope = await send('ana@example.org', { message: 'Por favor,\nantes del viernes.' });
  const [mail] = await received('ana@example.org');
  const [{ display_name: sender } = { display_name: '' }] = await database.query<{ display_name: string }>(
    'select display_name from platform.tenant where id = $1',
    [tenant.id],
  );
  expect(mail?.subject).toBe(`${sender} le pide firmar: Compraventa`);
  expect(mail?.text).toContain(`\n${envelope.signers[0]?.sign_url}\n`);
  expect(mail?.text).toContain('> Por favor,\n> antes del viernes.');
  expect(mail?.html).toContain(`href="${envelope.signers[0]?.sign_url}"`);
  expect(mail?.text).not.toContain(envelope.signers[1]?.sign_token);
  expect(mailbox?.messages('s-ana@example.org')).toEqual([]);
  await eventually(async () => {
    const { signers } = await show(envelope);
    expect(signers.map(({ notification }) => notification?.status ?? null)).toEqual(['sent', null]);
  });
  const audit = await app.call<AuditPage>(`/v1/envelopes/${envelope.id}/audit`, { key: tenant.apiKey });
  expect(audit.body.data).toMatchObject([
    { type: 'envelope.sent' },
    { type: 'signer.notified', signer_id: envelope.signers[0]?.id, role: 'buyer', data: { mail: 'invitation' } },
  ]);
  expect(verifyChain(audit.body.data).valid).toBe(true);
});

test('with notify: false nobody is written to, but for a reminder that is asked for', async () => {
  await openMailbox();
  const envelope = await send('quiet@example.org', { notify: false, locale: 'en', subject: 'Flat 301' });
  await post(`${envelope.id}/signers/${envelope.signers[0]?.id}/remind`);
  const [mail] = await received('quiet@example.org');
  expect(mail?.subject).toMatch(/^Reminder from .*: Flat 301 awaits your signature$/);
  await post(`${envelope.id}/void`, { reason: 'x' });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(mailbox?.messages('quiet@example.org')).toHaveLength(1);
});

test('while the mail server is away nothing is held up; once it is back all arrive, each once', async () => {
  const began = performance.now();
  const envelopes = await Promise.all(Array.from({ length: 25 }, (_, n) => send(`away-${n}@example.org`)));
  expect(performance.now() - began).toBeLessThan(15_000);
  await eventually(async () => {
    const [row] = await database.query<{ tried: number }>(
      `select count(*) filter (where attempts > 0 and failure is not null)::int as tried from signing.signer_mail where tenant_id = $1`,
      [tenant.id],
    );
    expect(row?.tried).toBe(25);
  });
  expect((await show(envelopes[0] as CreatedEnvelopeView)).signers[0]?.notification?.status).toBe('pending');
  await openMailbox();
  await eventually(() => expect(mailbox?.messages()).toHaveLength(25), 30_000);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  for (let n = 0; n < 25; n++) expect(mailbox?.messages(`away-${n}@example.org`)).toHaveLength(1);
});

test('several processes send each mail once between them', async () => {
  await openMailbox();
  const others = await Promise.all([startApp(), startApp()]);
  await Promise.all(Array.from({ length: 60 }, (_, n) => send(`many-${n}@example.org`)));
  await eventually(() => expect(mailbox?.messages().length).toBeGreaterThanOrEqual(60), 30_000);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(mailbox?.messages()).toHaveLength(60);
  const [row] = await database.query<{ notified: number }>(
    `select count(*)::int as notified from signing.envelope_event where tenant_id = $1 and type = 'signer.notified'`,
    [tenant.id],
  );
  expect(row?.notified).toBe(60);
  await Promise.all(others.map((other) => other.close()));
}, 60_000);

/** A mail server that says what it is told to. */
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
  await new Promise<void>((resolve) => server.listen(smtpPort, '127.0.0.1', resolve));
  return { close: () => new Promise((resolve) => server.close(() => resolve())), asked: () => asked };
}

test('a mailbox that the server refuses for good is seen in the envelope, and not tried again', async () => {
  const server = await answering(550);
  const envelope = await send('gone@example.org');
  await eventually(async () => {
    expect((await show(envelope)).signers[0]?.notification).toMatchObject({
      kind: 'invitation',
      status: 'failed',
      failure: 'SMTP 550',
    });
  });
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(server.asked()).toBe(1);
  expect((await show(envelope)).status).toBe('sent');
  await server.close();
});

test('a mail that was put off is due soon, though the clock of the process is an hour ahead', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  try {
    await send('ahead@example.org');
    await vi.waitFor(async () => {
      const [row] = await database.query<{ soon: boolean }>(
        `select due_at < clock_timestamp() + interval '1 minute' as soon from signing.signer_mail
          where tenant_id = $1 and failure is not null`,
        [tenant.id],
      );
      expect(row).toEqual({ soon: true });
    }, 10_000);
  } finally {
    vi.useRealTimers();
  }
});

test('a refusal for now is tried again, until it is a day old', async () => {
  const server = await answering(451);
  const envelope = await send('later@example.org');
  await eventually(() => expect(server.asked()).toBeGreaterThanOrEqual(2), 20_000);
  expect((await show(envelope)).signers[0]?.notification?.status).toBe('pending');
  await database.query(
    `update signing.signer_mail set created_at = now() - interval '25 hours', due_at = now() where tenant_id = $1`,
    [tenant.id],
  );
  await eventually(async () => {
    const [signer] = (await show(envelope)).signers;
    expect(signer?.notification).toMatchObject({ status: 'failed', failure: 'SMTP 451' });
  });
  await server.close();
});

describe('a code', () => {
  const enqueue = async (envelope: CreatedEnvelopeView, secret: string, expiresAt: Date) => {
    const own = await Database.connect({ url: database.app('signing'), applicationName: 'mail-tests' });
    const row = { id: uuidOf('env', envelope.id) ?? '', tenant_id: tenant.id };
    const signer = { id: uuidOf('sgn', envelope.signers[0]?.id ?? '') ?? '' };
    await own.tenant(tenant.id, (tx) =>
      app.app
        .get(SignerMails)
        .enqueue(tx, { kind: 'otp', envelope: row, signer, secret, dedupe: `otp:${secret}`, expiresAt }),
    );
    await own.close();
    app.app.get(SignerMailLoop).wake();
  };
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

  test('goes out at once, not in the subject, and is kept nowhere afterwards', async () => {
    await openMailbox();
    const envelope = await send('code@example.org', { notify: false });
    await enqueue(envelope, '730194', inMinutes(10));
    const [mail] = await received('code@example.org');
    expect(mail?.text.split('\n')).toContain('730194');
    expect(mail?.html).toContain('730194');
    expect(mail?.subject).toBe('Su código para firmar Compraventa');
    await eventually(async () => {
      const [row] = await database.query(`select secret, sent_at from signing.signer_mail where dedupe = 'otp:730194'`);
      expect(row).toEqual({ secret: null, sent_at: expect.any(Date) });
    });
    const audit = await app.call(`/v1/envelopes/${envelope.id}/audit`, { key: tenant.apiKey });
    expect(audit.bytes.toString()).not.toContain('730194');
  });

  test('is kept sealed while it waits, and of several that wait the last one is sent; one that is over is not', async () => {
    const envelope = await send('late@example.org', { notify: false });
    await enqueue(envelope, '111111', inMinutes(10));
    await enqueue(envelope, '222222', inMinutes(10));
    const rows = await database.query<{ secret: Buffer }>(
      'select secret from signing.signer_mail where tenant_id = $1',
      [tenant.id],
    );
    for (const { secret } of rows) expect(secret.toString('latin1')).not.toMatch(/111111|222222/);
    const other = await send('over@example.org', { notify: false });
    await enqueue(other, '333333', inMinutes(-1));
    await openMailbox();
    const [mail] = await received('late@example.org');
    expect(mail?.text).toContain('222222');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(mailbox?.messages()).toHaveLength(1);
    const left = await database.query('select 1 from signing.signer_mail where tenant_id = $1 and secret is not null', [
      tenant.id,
    ]);
    expect(left).toEqual([]);
  });
});

describe('how an envelope ended', () => {
  const ended = async ({ id }: CreatedEnvelopeView, kind: string) => {
    await database.query('select signing.enqueue_envelope_mails($1, $2, $3)', [tenant.id, uuidOf('env', id), kind]);
    await database.query('select signing.enqueue_envelope_mails($1, $2, $3)', [tenant.id, uuidOf('env', id), kind]);
    app.app.get(SignerMailLoop).wake();
  };

  test('voided: told to those who were written to, once', async () => {
    await openMailbox();
    const envelope = await send('void@example.org');
    await received('void@example.org');
    await eventually(async () => expect((await show(envelope)).signers[0]?.notification?.status).toBe('sent'));
    await post(`${envelope.id}/void`, { reason: 'Otro precio' });
    const [mail] = await received('void@example.org', 2);
    expect(mail?.subject).toBe('Anulado: Compraventa');
    expect(mail?.text).toContain('Motivo: Otro precio');
    expect(mail?.text).not.toContain('http://sign.test');
    expect(mailbox?.messages('s-void@example.org')).toEqual([]);
  });

  test('an invitation that is not out when the envelope ends does not go out any more', async () => {
    const envelope = await send('never@example.org');
    await post(`${envelope.id}/void`, { reason: 'x' });
    await openMailbox();
    await eventually(async () => {
      const rows = await database.query<{ failure: string }>(
        'select failure from signing.signer_mail where tenant_id = $1 and failed_at is not null',
        [tenant.id],
      );
      expect(rows.map(({ failure }) => failure)).toEqual(['not_needed', 'not_needed']);
    });
    expect(mailbox?.messages()).toEqual([]);
    expect((await show(envelope)).signers[0]?.notification).toBeNull();
  });

  test('declined: told to the others who were written to; completed: to all, with their links', async () => {
    await openMailbox();
    const declined = await send('no@example.org');
    const sealed = await send('yes@example.org');
    const asIfNotified = (id: string) =>
      database.query(
        `insert into signing.signer_mail (id, tenant_id, envelope_id, signer_id, kind, dedupe, sent_at)
         select gen_random_uuid(), tenant_id, envelope_id, id, 'invitation', 'test:' || id, now() from signing.envelope_signer
          where envelope_id = $1 and role = 'seller'`,
        [uuidOf('env', id)],
      );
    await received('no@example.org');
    await asIfNotified(declined.id);
    await database.query(
      `update signing.envelope_signer set status = 'declined', decline_reason = 'secreto' where envelope_id = $1 and role = 'buyer'`,
      [uuidOf('env', declined.id)],
    );
    await ended(declined, 'declined');
    await ended(sealed, 'completed');
    const [told] = await received('s-no@example.org');
    expect(told?.subject).toBe('No se firmará: Compraventa');
    expect(told?.text).toContain('Ana decidió no firmar');
    expect(told?.text).not.toContain('secreto');
    expect(subjectsTo('no@example.org')).toHaveLength(1);
    const [done] = await received('s-yes@example.org');
    expect(done?.subject).toBe('Firmado por todos: Compraventa');
    expect(done?.text).toContain(`\n${sealed.signers[1]?.sign_url}\n`);
    expect(done?.text).toContain((await show(sealed)).verify_url);
    await received('yes@example.org', 2);
  });

  test('expired: told to those who were written to', async () => {
    await openMailbox();
    const envelope = await send('slow@example.org');
    await received('slow@example.org');
    await eventually(async () => expect((await show(envelope)).signers[0]?.notification?.status).toBe('sent'));
    await database.query(`update signing.envelope set expires_at = now() where id = $1`, [uuidOf('env', envelope.id)]);
    const [mail] = await received('slow@example.org', 2);
    expect(mail?.subject).toBe('Venció el plazo: Compraventa');
  });
});

test('a new link is mailed, and the mail that was to bring the former is not', async () => {
  const envelope = await send('anew@example.org');
  const { body } = await app.call<{ sign_url: string }>(
    `/v1/envelopes/${envelope.id}/signers/${envelope.signers[0]?.id}/rotate-token`,
    { method: 'POST', key: tenant.apiKey },
  );
  await openMailbox();
  const [mail] = await received('anew@example.org');
  expect(mail?.text).toContain(body.sign_url);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  for (const { text } of mailbox?.messages('anew@example.org') ?? [])
    expect(text).not.toContain(envelope.signers[0]?.sign_token);
});

describe('while the owner of a tenant has not proven the address', () => {
  const verify = () =>
    database.query('update platform.tenant set owner_email_verified_at = now() where id = $1', [tenant.id]);
  const mailsOf = async (envelope: { id: string }) => (await show(envelope)).signers.map(({ mail }) => mail);

  beforeEach(async () => {
    tenant = await testTenant(database, { verified: false });
    circuitId = await publishedCircuit(app, tenant.apiKey);
    await openMailbox();
  });

  test('mails to others wait, which the envelope shows, and go out within seconds of the proof', async () => {
    const envelope = await send('waits@example.org');
    expect(await mailsOf(envelope)).toEqual(['waiting_for_owner', null]);
    const [first] = envelope.signers;
    await post(`${envelope.id}/signers/${first?.id}/remind`);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(mailbox?.messages()).toEqual([]);

    await database.query(`update signing.signer_mail set created_at = now() - interval '5 days' where tenant_id = $1`, [
      tenant.id,
    ]);
    await verify();
    await received('waits@example.org'); // the reminder, which took the place of the invitation
    await eventually(async () => expect(await mailsOf(envelope)).toEqual(['sent', null]));
  });

  test('a mail to the own address goes out at once, the end of the envelope too', async () => {
    const own = `Owner@${tenant.slug}.example`;
    const envelope = await send(own);
    await received(own);
    expect((await post(`${envelope.id}/void`, { reason: 'x' })).status).toBe(200);
    await received(own, 2);
  });

  test('no code is mailed to others, and the answer says why', async () => {
    const envelope = await send('code@example.org');
    const { sign_token: token } = envelope.signers[0] ?? {};
    const { body } = await app.call<{ consent: { locale: string; version: string } }>(`/v1/sign/${token}`);
    const { locale, version } = body.consent;
    await app.call(`/v1/sign/${token}/consent`, { body: { accepted: true, locale, version } });
    const answer = await app.call(`/v1/sign/${token}/otp/send`, { method: 'POST' });
    expect(answer.status).toBe(409);
    expect(answer.body.detail).toContain('The sender has not confirmed');
    await verify();
    expect((await app.call(`/v1/sign/${token}/otp/send`, { method: 'POST' })).status).toBe(202);
  });

  test('mails that have waited for 7 days are dropped, which the envelope shows', async () => {
    const envelope = await send('dropped@example.org');
    await database.query(
      `update signing.signer_mail set created_at = now() - interval '7 days 1 minute' where tenant_id = $1`,
      [tenant.id],
    );
    await eventually(async () => expect(await mailsOf(envelope)).toEqual(['dropped', null]), 10_000);
    const [signer] = (await show(envelope)).signers;
    expect(signer?.notification).toMatchObject({ status: 'failed', failure: 'owner_not_verified' });
    await verify();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(mailbox?.messages()).toEqual([]);
  });
});

describe('what is mailed in the name of a tenant', () => {
  let limited: RunningSigning;
  const DAY_SECONDS = 86_400;

  beforeAll(async () => {
    limited = await startApp({
      MAILS_PER_ADDRESS: '3',
      MAILS_PER_SANDBOX_TENANT: '5',
      MINUTES_BETWEEN_LINK_MAILS: '10',
    });
  });
  afterAll(() => limited?.close());

  const create = (buyer: string, changes: object = {}) =>
    limited.call<CreatedEnvelopeView>('/v1/envelopes', {
      key: tenant.apiKey,
      body: { circuit_id: circuitId, signers: signers(buyer, `s-${buyer}`), ...changes },
    });
  const act = (envelope: CreatedEnvelopeView, action: string) =>
    limited.call(`/v1/envelopes/${envelope.id}/signers/${envelope.signers[0]?.id}/${action}`, {
      method: 'POST',
      key: tenant.apiKey,
    });

  function expectLimit({ status, headers }: { status: number; headers: Headers }, limit: number, seconds: number) {
    expect(status).toBe(429);
    expect(headers.get('x-ratelimit-limit')).toBe(String(limit));
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    const wait = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1_000;
    expect(wait).toBeGreaterThan(seconds - 60);
    expect(wait).toBeLessThan(seconds + 5);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(seconds - 60);
  }

  test('to one address is bounded over a day, however many ask at once, and what is refused costs nothing', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((n) => create(n % 2 ? 'one@example.org' : 'ONE@example.org')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429]);
    const refused = answers.find(({ status }) => status === 429) as (typeof answers)[number];
    expectLimit(refused, 3, DAY_SECONDS);
    const [row] = await database.query<{ envelopes: number; debits: number }>(
      `select (select count(*)::int from signing.envelope where tenant_id = $1) as envelopes,
              (select count(*)::int from platform.credit_entry where tenant_id = $1 and kind = 'debit') as debits`,
      [tenant.id],
    );
    expect(row).toEqual({ envelopes: 3, debits: 3 });
    const first = answers.find(({ status }) => status === 201)?.body as CreatedEnvelopeView;
    expectLimit(await act(first, 'remind'), 3, DAY_SECONDS);
    expect((await create('two@example.org')).status).toBe(201);
    expect((await create('one@example.org', { notify: false })).status).toBe(201);
  });

  test('counts on after an erasure, without the address', async () => {
    for (let n = 0; n < 3; n++) expect((await create('gone@example.org')).status).toBe(201);
    await database.query(`delete from signing.signer_mail where tenant_id = $1`, [tenant.id]);
    expect((await create('gone@example.org')).status).toBe(429);
    const [dump] = await database.query<{ text: string }>(
      'select jsonb_agg(to_jsonb(m))::text as text from signing.mail_taken m',
    );
    expect(dump?.text).not.toContain('gone');
    await database.query(`update signing.mail_taken set taken_at = taken_at - interval '1 day' where tenant_id = $1`, [
      tenant.id,
    ]);
    expect((await create('gone@example.org')).status).toBe(201);
  });

  test('is bounded for a sandbox tenant as a whole', async () => {
    for (let n = 0; n < 5; n++) expect((await create(`all-${n}@example.org`)).status).toBe(201);
    expectLimit(await create('all-5@example.org'), 5, DAY_SECONDS);
  });

  test('a reminder comes at most every 10 minutes, and a new link too; the answers show those limits', async () => {
    const { body: envelope } = await create('often@example.org');
    expect((await act(envelope, 'remind')).status).toBe(200);
    expectLimit(await act(envelope, 'remind'), 1, 600);
    const { body: other } = await create('links@example.org');
    expect((await act(other, 'rotate-token')).status).toBe(200);
    expectLimit(await act(other, 'rotate-token'), 1, 600);
  });

  test('waits for room when it is the turn of the next signer, which the envelope shows', async () => {
    const { body: envelope } = await create('first@example.org');
    const seller = envelope.signers[1]?.id;
    const room = new MailRoom(limited.app.get(PersonalData), { perAddress: 1, perTenant: null, betweenLinksMs: 0 });
    const mails = new SignerMails(new SecretBox([Buffer.alloc(32, 7)]), room);
    const store = await Database.connect({ url: database.app('signing'), poolSize: 1, applicationName: 'test' });
    const ids = { id: uuidOf('env', envelope.id) ?? '', tenant_id: tenant.id };
    const signer = { id: uuidOf('sgn', seller ?? '') ?? '', email: 's-first@example.org' };
    await store.tenant(tenant.id, async (tx) => {
      for (const n of [1, 2]) {
        const mail = { kind: 'invitation', envelope: ids, signer, dedupe: `test:${signer.id}:${n}` } as const;
        await mails.enqueue(tx, { ...mail, whenFull: 'wait' });
      }
    });
    await store.close();
    const shown = await limited.call<EnvelopeView>(`/v1/envelopes/${envelope.id}`, { key: tenant.apiKey });
    expect(shown.body.signers[1]?.mail).toBe('waiting_for_limit');
    const [row] = await database.query<{ hours: number }>(
      `select round(extract(epoch from max(due_at) - now()) / 3600)::int as hours from signing.signer_mail where signer_id = $1`,
      [signer.id],
    );
    expect(row?.hours).toBe(24);
  });
});
