import { SecretBox, uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { eventually } from '@constancia/testing';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DEFINITION, draftCircuit, publishedCircuit } from '../circuits/circuits.fixture.ts';
import type { CreatedEnvelopeView, EnvelopeView } from '../envelopes/envelope-view.ts';
import { sentEnvelope } from '../envelopes/envelopes.fixture.ts';
import { PdfStore } from '../pdf-store.ts';
import type { Problem, RunningSigning } from '../running-signing.fixture.ts';
import type { SigningConfig } from '../config.ts';
import { MailRoom } from './mail-room.ts';
import { MailBench, signersOf } from './mail-bench.fixture.ts';
import { SignerMailLoop } from './signer-mail-loop.ts';
import { SignerMails } from './signer-mails.ts';

const bench = new MailBench();

beforeAll(() => bench.open());
beforeEach(() => bench.useTenant());
afterEach(() => bench.endTest());
afterAll(() => bench.close());

describe('what is mailed in the name of a tenant', () => {
  let limited: RunningSigning;
  const DAY_SECONDS = 86_400;

  beforeAll(async () => {
    limited = await bench.startApp({
      MAILS_PER_ADDRESS: '3',
      MAILS_PER_SANDBOX_TENANT: '5',
      MINUTES_BETWEEN_LINK_MAILS: '10',
    });
  });
  afterAll(() => limited?.close());

  const create = (buyer: string, changes: object = {}) =>
    limited.call<CreatedEnvelopeView>('/v1/envelopes', {
      key: bench.tenant.apiKey,
      body: { circuit_id: bench.circuitId, signers: signersOf(buyer), ...changes },
    });
  const act = (envelope: CreatedEnvelopeView, action: string) =>
    limited.call(`/v1/envelopes/${envelope.id}/signers/${envelope.signers[0]?.id}/${action}`, {
      method: 'POST',
      key: bench.tenant.apiKey,
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
    const [row] = await bench.database.query<{ envelopes: number; debits: number }>(
      `select (select count(*)::int from signing.envelope where tenant_id = $1) as envelopes,
              (select count(*)::int from platform.credit_entry where tenant_id = $1 and kind = 'debit') as debits`,
      [bench.tenant.id],
    );
    expect(row).toEqual({ envelopes: 3, debits: 3 });
    const first = answers.find(({ status }) => status === 201)?.body as CreatedEnvelopeView;
    expectLimit(await act(first, 'remind'), 3, DAY_SECONDS);
    expect((await create('two@example.org')).status).toBe(201);
    expect((await create('one@example.org', { notify: false })).status).toBe(201);
  });

  test('counts on after an erasure, without the address', async () => {
    for (let n = 0; n < 3; n++) expect((await create('gone@example.org')).status).toBe(201);
    const body = { subject_ref: 'customer-1', email: 'gone@example.org' };
    expect((await limited.call('/v1/erasures', { key: bench.tenant.apiKey, body })).status).toBe(200);
    expect((await create('gone@example.org')).status).toBe(429);
    const [dump] = await bench.database.query<{ text: string }>(
      'select jsonb_agg(to_jsonb(m))::text as text from signing.mail_taken m',
    );
    expect(dump?.text).not.toContain('gone');
    await bench.database.query(
      `update signing.mail_taken set taken_at = taken_at - interval '1 day' where tenant_id = $1`,
      [bench.tenant.id],
    );
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
    const mailLimits = { perAddress: 1, perTenant: null, betweenLinksMs: 0 };
    const room = new MailRoom(limited.app.get(PersonalData), { mailLimits } as SigningConfig);
    const mails = new SignerMails(new SecretBox([Buffer.alloc(32, 7)]), room);
    const store = await Database.connect({ url: bench.database.app('signing'), poolSize: 1, applicationName: 'test' });
    const ids = { id: uuidOf('env', envelope.id) ?? '', tenant_id: bench.tenant.id };
    const signer = { id: uuidOf('sgn', seller ?? '') ?? '', email: 's-first@example.org' };
    await store.tenant(bench.tenant.id, async (tx) => {
      for (const n of [1, 2]) {
        const mail = { kind: 'invitation', envelope: ids, signer, dedupe: `test:${signer.id}:${n}` } as const;
        await mails.enqueue(tx, { ...mail, whenFull: 'wait' });
      }
    });
    await store.close();
    const shown = await limited.call<EnvelopeView>(`/v1/envelopes/${envelope.id}`, { key: bench.tenant.apiKey });
    expect(shown.body.signers[1]?.mail).toBe('waiting_for_limit');
    const [row] = await bench.database.query<{ hours: number }>(
      `select round(extract(epoch from max(due_at) - now()) / 3600)::int as hours from signing.signer_mail where signer_id = $1`,
      [signer.id],
    );
    expect(row?.hours).toBe(24);
  });
});

describe('the mail that all have signed', () => {
  /** What a mail server gets of it, of a circuit with the document attached, which has this size. Answers the first refusal with 552. */
  async function completed({ bytes, refuses = false }: { bytes: number; refuses?: boolean }): Promise<string[]> {
    const raw: string[] = [];
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData: (stream, _session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const mail = Buffer.concat(chunks).toString('latin1');
          const refused = refuses && mail.includes('application/pdf');
          if (!refused) raw.push(mail);
          done(refused ? Object.assign(new Error('too large'), { responseCode: 552 }) : undefined);
        });
      },
    });
    const definition = { ...DEFINITION, attach_document: true };
    const circuitId = await publishedCircuit(bench.app, bench.tenant.apiKey, { definition });
    const { id } = await sentEnvelope(bench.app, bench.tenant.apiKey, circuitId);
    await bench.database.query(`update signing.signer_mail set failed_at = now() where sent_at is null`);
    const key = `documents/${id}.pdf`;
    await bench.app.app.get(PdfStore).put(key, Buffer.from('%PDF-the sealed document'));
    await bench.database.query('update signing.envelope set document_key = $2, document_size = $3 where id = $1', [
      uuidOf('env', id),
      key,
      bytes,
    ]);
    const enqueue = 'select signing.enqueue_envelope_mails(tenant_id, id, $2) from signing.envelope where id = $1';
    await bench.database.query(enqueue, [uuidOf('env', id), 'completed']);
    await new Promise<void>((resolve) => server.listen(bench.smtpPort, '127.0.0.1', resolve));
    bench.app.app.get(SignerMailLoop).wake();
    await eventually(() => expect(raw).toHaveLength(2), 10_000);
    await new Promise<void>((resolve) => server.close(resolve));
    return raw;
  }
  const pdf = Buffer.from('%PDF-the sealed document').toString('base64');

  test('carries the document when the circuit says so', async () => {
    for (const mail of await completed({ bytes: 10_000_000 })) {
      expect(mail).toContain('filename=documento-firmado.pdf');
      expect(mail).toContain(pdf);
      expect(mail).toContain('adjunto');
    }
  });

  test.each([{ bytes: 10_000_001 }, { bytes: 100, refuses: true }])('has the link alone: %j', async (document) => {
    for (const mail of await completed(document)) {
      expect(mail).not.toContain('application/pdf');
      expect(mail).not.toContain('adjunto');
      expect(mail).toContain('http://sign.test/');
    }
  });

  test('does not show what only authenticated signers see', async () => {
    const id = await draftCircuit(bench.app, bench.tenant.apiKey, { definition: null });
    const body = { ...DEFINITION, attach_document: true, document_access: 'authenticated' };
    const put = { method: 'PUT', key: bench.tenant.apiKey, body };
    const { status, body: problem } = await bench.app.call<Problem>(`/v1/circuits/${id}/definition`, put);
    expect([status, problem.errors?.map(({ pointer }) => pointer)]).toEqual([400, ['/attach_document']]);
  });
});
