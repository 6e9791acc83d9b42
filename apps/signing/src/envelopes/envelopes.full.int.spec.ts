import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { typeId, uuidOf } from '@constancia/kernel';
import { verifyChain } from '@constancia/persistence';
import {
  ContractChecker,
  eventually,
  testDatabase,
  type TestDatabase,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { copiesOf, pagesRead } from '@constancia/testing/history';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publishedCircuit } from '../circuits/circuits.fixture.ts';
import { minimalPdf, type Problem, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import type { AuditPage } from './audit-view.ts';
import type { CreatedEnvelopeView, EnvelopePage, EnvelopeView } from './envelope-view.ts';
import { envelopesSql } from './envelopes.ts';
import { sentEnvelope } from './envelopes.fixture.ts';
import { ENVELOPE_STATUSES, type EnvelopeStatus, SIGNER_STATUSES } from '../envelope-records/envelope-states.ts';
import { reasonDigest } from '../envelope-records/person-digest.ts';
import type { SignerLinkView } from './signer-view.ts';

let database: TestDatabase;
let signing: RunningSigning;
let tenant: TestTenant;
let circuitId: string;

beforeAll(async () => {
  database = await testDatabase();
  signing = await runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) });
});

beforeEach(async () => {
  tenant = await testTenant(database);
  circuitId = await publishedCircuit(signing, tenant.apiKey);
});

afterAll(async () => {
  await signing?.close();
  await database?.drop();
});

const send = (changes: object = {}) => sentEnvelope(signing, tenant.apiKey, circuitId, changes);

function get<Body = EnvelopeView>(route: string, key = tenant.apiKey, headers: Record<string, string> = {}) {
  return signing.call<Body>(`/v1/envelopes${route}`, { key, headers });
}

function post<Body = EnvelopeView>(route: string, body?: unknown, key = tenant.apiKey) {
  return signing.call<Body>(`/v1/envelopes${route}`, { method: 'POST', key, body });
}

const signerOf = (envelope: { signers: { id: string; role: string }[] }, role: string) =>
  envelope.signers.find((one) => one.role === role)?.id ?? '';

const PDF = minimalPdf(3);
const SHA256 = createHash('sha256').update(PDF).digest();

/** Takes an envelope to a state, with what the table wants of one that is sealed or failed. */
async function become(id: string, status: EnvelopeStatus): Promise<void> {
  const key = 'documents/tests/sealed.pdf';
  fs.mkdirSync(path.join(signing.folder, path.dirname(key)), { recursive: true });
  fs.writeFileSync(path.join(signing.folder, key), PDF);
  await database.query(
    `update signing.envelope
        set status = $2, failure_code = 'internal', failure_reason = 'Something broke.', last_setback = 'kms',
            document_sha256 = $3, document_key = $4, document_size = $5, kms_key_arn = 'arn:aws:kms:x', signature = '\\x0102',
            signature_algorithm = 'RSASSA_PKCS1_V1_5_SHA_256', signed_at = now()
      where id = $1`,
    [uuidOf('env', id), status, SHA256, key, PDF.length],
  );
}

async function signerBecomes(id: string, status: string): Promise<void> {
  await database.query(
    `update signing.envelope_signer set status = $2, signature_type = 'typed', signature_sha256 = '\\x01', signed_at = now(),
        otp_hash = '\\x02', otp_attempts = 3, code_attempts = 2, code_misses = 50, auth_done = '{otp_email}', consent_version = '1', viewed_at = now()
      where id = $1`,
    [uuidOf('sgn', id), status],
  );
}

async function events(type: string): Promise<{ payload: Record<string, unknown> }[]> {
  const rows = await database.query<{ body: string }>(
    'select body from platform.event where tenant_id = $1 and event_type = $2',
    [tenant.id, type],
  );
  return rows.map(({ body }) => JSON.parse(body) as { payload: Record<string, unknown> });
}

async function trailOf(id: string): Promise<AuditPage['data']> {
  return (await get<AuditPage>(`/${id}/audit?limit=100`)).body.data;
}

/** Mails in the store, as `kind to whom`, those that are given up aside. */
async function mails(id: string): Promise<string[]> {
  const rows = await database.query<{ mail: string }>(
    `select m.kind || ' ' || s.role as mail from signing.signer_mail m join signing.envelope_signer s on s.id = m.signer_id
      where m.envelope_id = $1 and m.failed_at is null order by m.created_at, s.role`,
    [uuidOf('env', id)],
  );
  return rows.map(({ mail }) => mail);
}

describe('GET /v1/envelopes/{id}', () => {
  test('shows everything but the links', async () => {
    const created = await send();
    const { status, body } = await get(`/${created.id}`);
    expect(status).toBe(200);
    const untouched = {
      link_opened_at: null, viewed_at: null, consented_at: null, authenticated_at: null, signed_at: null, declined_at: null, decline_reason: null, not_me_at: null,
      identity: null, reminded_at: null, next_reminder_at: null, reminders_sent: 0, auth: ['otp_email'], auth_completed: [], person_salt: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    }; // prettier-ignore
    const [buyer, seller] = created.signers.map(({ sign_token: _, sign_url: __, ...rest }) => rest);
    expect(body).toEqual({
      id: created.id,
      circuit_id: circuitId,
      status: 'sent',
      signers: [
        {
          ...buyer,
          ...untouched,
          notification: expect.objectContaining({ kind: 'invitation', status: 'pending' }),
          mail: 'pending',
        },
        { ...seller, ...untouched, notification: null, mail: null },
      ],
      subject: 'Compraventa',
      message: null,
      locale: 'es-CO',
      external_ref: null,
      metadata: {},
      reminders: null,
      notify: true,
      verify_url: expect.stringMatching(/^http:\/\/sign\.test\/verify\/[0-9A-Za-z]{22}$/),
      credits_debited: 40,
      credits_refunded: 0,
      expires_at: created.expires_at,
      created_at: created.created_at,
      ended_at: null,
      void_reason: null,
      void_reason_salt: null,
      signed_at: null,
      document_sha256: null,
    });
    for (const { sign_token } of created.signers) expect(JSON.stringify(body)).not.toContain(sign_token);
  });

  test('shows what a sealing waits for while it does, and why it failed when it has', async () => {
    const { id } = await send();
    await become(id, 'sealing');
    expect((await get(`/${id}`)).body).toMatchObject({ status: 'sealing', last_setback: 'kms' });
    await become(id, 'failed');
    const { body } = await get(`/${id}`);
    expect(body).toMatchObject({ status: 'failed', failure_code: 'internal', failure_reason: 'Something broke.' });
    expect(body).not.toHaveProperty('last_setback');
  });
});

test('a message of several lines is kept, with one kind of line end', async () => {
  const { id } = await send({ message: 'Uno\r\nDos\n\tTres' });
  expect((await get(`/${id}`)).body.message).toBe('Uno\nDos\n\tTres');
});

describe('GET /v1/envelopes', () => {
  test.each([
    ['asc', ['sent', 'in_progress']],
    ['desc', ['failed']],
  ] as const)(
    'reads those of some states from the index of states, no matter how many others there are (%s, %j)',
    async (order, statuses) => {
      const { id } = await send();
      const values = { status: `'voided'`, public_id: `replace(gen_random_uuid()::text, '-', '')`, ended_at: 'now()' };
      await database.query('alter table signing.envelope alter status set (n_distinct = 1)'); // as a sample of a long history says
      await copiesOf(database, 'signing.envelope', uuidOf('env', id) as string, values);
      const [sql, params] = envelopesSql(tenant.id, { statuses, order, limit: 6 });
      expect(await pagesRead(database, sql, params)).toBeLessThan(40);
    },
  );

  test('pages through them, newest first, by state and by circuit', async () => {
    const other = await publishedCircuit(signing, tenant.apiKey);
    const ids = [(await send()).id, (await send({ circuit_id: other })).id, (await send()).id].reverse();
    const list = async (query: string) => (await get<EnvelopePage>(`?${query}`)).body;
    const first = await list('limit=2');
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.data[0]?.signers.map(({ role }) => role)).toEqual(['buyer', 'seller']);
    await send();
    const rest = await list(`limit=2&cursor=${first.next_cursor}`);
    expect([rest.data.map(({ id }) => id), rest.next_cursor]).toEqual([ids.slice(2), null]);
    expect((await list(`circuit_id=${other}`)).data.map(({ id }) => id)).toEqual([ids[1]]);
    expect((await list('circuit_id=cir_nothing')).data).toEqual([]);
    expect((await list('status=voided')).data).toEqual([]);
    expect((await list('status=sent&limit=100')).data).toHaveLength(4);
    const ended = ids[1] ?? '';
    await post(`/${ended}/void`, { reason: 'Otra versión' });
    const all = (await list('order=asc')).data.map(({ id }) => id);
    const waiting = 'status=sent&status=in_progress&order=asc&limit=2';
    const oldest = await list(waiting);
    const others = await list(`${waiting}&cursor=${oldest.next_cursor}`);
    const seen = [...oldest.data, ...others.data].map(({ id }) => id);
    expect([seen, others.next_cursor]).toEqual([all.filter((id) => id !== ended), null]);
    const both = (await list('status=sent&status=voided')).data.map(({ id }) => id);
    expect(both).toEqual(all.reverse());
    for (const query of [
      'status=open',
      'status=sent&status=open',
      'status=sent&status=sent',
      'limit=101',
      'cursor=x',
      'colour=1',
    ]) {
      expect((await get(`?${query}`)).status).toBe(400);
    }
  });
});

describe('GET /v1/envelopes/{id}/document', () => {
  test('is the sealed file, with what proves it; 304 to who holds it', async () => {
    const { id } = await send();
    await become(id, 'sealed');
    const { status, headers, bytes } = await get(`/${id}/document`);
    const sha256 = SHA256.toString('hex');
    expect(status).toBe(200);
    expect(bytes.equals(PDF)).toBe(true);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'x-document-sha256': sha256,
      'x-kms-key-arn': 'arn:aws:kms:x',
      'x-signature-algorithm': 'RSASSA_PKCS1_V1_5_SHA_256',
      'x-signature': '0102',
      'x-kms-signature': '0102',
      etag: `"${sha256}"`,
      'content-disposition': `attachment; filename="${id}.pdf"`,
    });
    expect((await get(`/${id}/evidence`)).body).toMatchObject({ level: 'B-B', next_at: null, revisions: [] });
    const held = await get(`/${id}/document`, tenant.apiKey, { 'if-none-match': `"${sha256}"` });
    expect([held.status, held.bytes.length, held.headers.get('x-document-sha256')]).toEqual([304, 0, sha256]);
  });

  test.each(ENVELOPE_STATUSES.filter((status) => status !== 'sealed'))(
    '%s: 409, without integrity headers',
    async (status) => {
      const { id } = await send();
      await become(id, status);
      const answer = await get<Problem & { status_of_envelope: string }>(`/${id}/document`);
      expect([answer.status, answer.body.status_of_envelope]).toEqual([409, status]);
      expect(answer.headers.get('x-signature')).toBeNull();
      expect((await get(`/${id}/evidence`)).status).toBe(409);
    },
  );
});

describe('POST /v1/envelopes/{id}/void', () => {
  test('ends the envelope, says why, and informs the tenant; the credits stay spent', async () => {
    const { id } = await send();
    const { status, body } = await post<EnvelopeView>(`/${id}/void`, { reason: 'Otro precio' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'voided',
      void_reason: 'Otro precio',
      ended_at: expect.any(String),
      credits_refunded: 0,
    });
    expect(await events('seal.envelope.voided')).toMatchObject([
      {
        payload: {
          envelope_id: id,
          circuit_id: circuitId,
          signer: null,
          at: expect.any(String),
        },
      },
    ]);
    const trail = await trailOf(id);
    expect(trail.map(({ type }) => type)).toEqual(['envelope.sent', 'envelope.voided']);
    const salt = Buffer.from(body.void_reason_salt ?? '', 'hex');
    expect(trail[1]?.data).toMatchObject({
      by: { kind: 'key' },
      reason_sha256: reasonDigest('Otro precio', salt),
    });
    expect(salt).toHaveLength(16);
  });

  test('of many at once, one voids', async () => {
    const { id } = await send();
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => post(`/${id}/void`, { reason: `r${n}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await events('seal.envelope.voided')).toHaveLength(1);
  });

  test.each([
    [{}],
    [{ reason: '' }],
    [{ reason: 'x'.repeat(501) }],
    [{ reason: 'a\nb' }],
    [{ reason: 1 }],
    [{ reason: 'x', more: 1 }],
  ])('%j is 400', async (body) => {
    const { id } = await send();
    expect((await post(`/${id}/void`, body)).status).toBe(400);
  });
});

describe('POST /v1/envelopes/{id}/signers/{signer_id}/remind', () => {
  test('mails the link again, in the place of an invitation that is not out yet, and not twice within 10 minutes', async () => {
    const envelope = await send();
    const route = `/${envelope.id}/signers/${signerOf(envelope, 'buyer')}/remind`;
    const { status, body } = await post(route);
    expect(status).toBe(200);
    expect(body.signers[0]).toMatchObject({
      reminded_at: expect.any(String),
      notification: { kind: 'reminder', status: 'pending' },
    });
    expect(await mails(envelope.id)).toContain('reminder buyer');
    const again = await post<Problem>(route);
    expect(again.status).toBe(429);
    const wait = Number(again.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(590);
    expect(wait).toBeLessThanOrEqual(600);
    await database.query(
      `update signing.envelope_signer set reminded_at = reminded_at - interval '10 minutes' where tenant_id = $1`,
      [tenant.id],
    );
    expect((await post(route)).status).toBe(200);
    expect((await trailOf(envelope.id)).filter(({ type }) => type === 'signer.reminded')).toMatchObject([
      { signer_id: signerOf(envelope, 'buyer'), role: 'buyer', data: { by: { kind: 'key' } } },
      { role: 'buyer' },
    ]);
  });

  test('of many at once, one reminds', async () => {
    const envelope = await send({ notify: false });
    const route = `/${envelope.id}/signers/${signerOf(envelope, 'buyer')}/remind`;
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(route)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429, 429, 429]);
    expect((await mails(envelope.id)).filter((mail) => mail === 'reminder buyer')).toHaveLength(1);
  });
});

describe('POST /v1/envelopes/{id}/signers/{signer_id}/rotate-token', () => {
  const stateOf = (token: string) => signing.call(`/v1/sign/${token}`, {});

  test('the new link works and the former does not; what the former did counts no more', async () => {
    const envelope = await send();
    const id = signerOf(envelope, 'buyer');
    await signerBecomes(id, 'authenticated');
    const { status, body } = await post<SignerLinkView>(`/${envelope.id}/signers/${id}/rotate-token`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      role: 'buyer',
      email: 'ana@example.org',
      phone: null,
      name: 'Ana Ñungo',
      order: 1,
      status: 'pending',
      sign_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      sign_url: `http://sign.test/${body.sign_token}`,
    });
    expect((await stateOf(envelope.signers[0]?.sign_token ?? '')).status).toBe(404);
    const [row] = await database.query('select * from signing.envelope_signer where id = $1', [uuidOf('sgn', id)]);
    expect(row).toMatchObject({
      status: 'pending', auth_done: [], consent_version: null, viewed_at: null, otp_hash: null, otp_attempts: 0, code_attempts: 0, code_misses: 0,
    }); // prettier-ignore
    expect((await stateOf(body.sign_token)).status).toBe(200);
    const rotated = (await trailOf(envelope.id)).find(({ type }) => type === 'signer.token_rotated');
    expect(rotated).toMatchObject({ signer_id: id, data: { status: 'authenticated', by: { kind: 'key' } } });
    expect((await mails(envelope.id)).filter((mail) => mail === 'invitation buyer').length).toBeGreaterThan(0);
    expect(JSON.stringify(await trailOf(envelope.id))).not.toContain(body.sign_token);
  });

  test('a signer whose turn it is not gets a new link and no mail', async () => {
    const envelope = await send();
    const { body } = await post<SignerLinkView>(`/${envelope.id}/signers/${signerOf(envelope, 'seller')}/rotate-token`);
    expect(body.status).toBe('waiting');
    expect(await mails(envelope.id)).not.toContain('invitation seller');
  });

  test('of many at once, the link of the last one works', async () => {
    const envelope = await send({ notify: false });
    const route = `/${envelope.id}/signers/${signerOf(envelope, 'buyer')}/rotate-token`;
    const answers = await Promise.all(Array.from({ length: 5 }, () => post<SignerLinkView>(route)));
    const states = await Promise.all(answers.map(({ body }) => stateOf(body.sign_token)));
    expect(states.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });
});

describe('what a state does not take', () => {
  const OPEN = ['sent', 'in_progress'];

  test.each(ENVELOPE_STATUSES)('an envelope that is %s', async (status) => {
    const envelope = await send();
    await become(envelope.id, status);
    const signer = `/${envelope.id}/signers/${signerOf(envelope, 'buyer')}`;
    const answers = [
      await post<object>(`${signer}/remind`),
      await post<object>(`${signer}/rotate-token`),
      await post<object>(`/${envelope.id}/void`, { reason: 'x' }),
    ];
    for (const { status: code, body } of answers) {
      expect(code).toBe(OPEN.includes(status) ? 200 : 409);
      if (code === 409) expect(body).toMatchObject({ status_of_envelope: status, allowed_actions: [] });
    }
  });

  const TAKES: Record<string, string[]> = {
    waiting: ['rotate'],
    pending: ['remind', 'rotate'],
    viewed: ['remind', 'rotate'],
    consented: ['remind', 'rotate'],
    authenticated: ['remind', 'rotate'],
    signed: [],
    declined: [],
  };

  test.each(SIGNER_STATUSES)('a signer who is %s', async (status) => {
    const envelope = await send();
    const id = signerOf(envelope, 'buyer');
    const takes = TAKES[status] ?? [];
    await signerBecomes(id, status);
    const remind = await post<object>(`/${envelope.id}/signers/${id}/remind`);
    const rotate = await post<object>(`/${envelope.id}/signers/${id}/rotate-token`);
    for (const [action, answer] of Object.entries({ remind, rotate })) {
      expect(answer.status).toBe(takes.includes(action) ? 200 : 409);
      if (answer.status === 409) {
        expect(answer.body).toMatchObject({ status_of_signer: status, allowed_actions: takes });
      }
    }
  });
});

describe('an envelope whose time is over', () => {
  const overdue = (id: string) =>
    database.query(`update signing.envelope set expires_at = now() - interval '1 second' where id = $1`, [
      uuidOf('env', id),
    ]);

  test('takes nothing more, even before it is swept', async () => {
    const envelope = await send();
    const signer = `/${envelope.id}/signers/${signerOf(envelope, 'buyer')}`;
    await overdue(envelope.id);
    for (const answer of [await post<object>(`${signer}/remind`), await post<object>(`${signer}/rotate-token`)]) {
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({ status_of_envelope: 'expired', allowed_actions: [] });
    }
  });

  test('expires by itself, once, with its event, and only while it can be signed', async () => {
    const [first, second, running] = await Promise.all([send(), send(), send()]);
    const ENDED = ['sealing', 'sealed', 'voided', 'declined', 'failed'] as const;
    const ended = new Map<EnvelopeStatus, string>();
    for (const status of ENDED) {
      const { id } = await send();
      await become(id, status);
      ended.set(status, id);
    }
    await become(second.id, 'in_progress');
    for (const id of [...ended.values(), first.id, second.id]) await overdue(id);
    await eventually(async () => {
      for (const { id } of [first, second]) expect((await get(`/${id}`)).body.status).toBe('expired');
    }, 20_000);
    for (const [status, id] of ended) expect((await get(`/${id}`)).body.status).toBe(status);
    expect((await get(`/${running.id}`)).body.status).toBe('sent');
    const expired = await events('seal.envelope.expired');
    expect(expired.map(({ payload }) => payload.envelope_id).sort()).toEqual([first.id, second.id].sort());
    expect((await trailOf(first.id)).map(({ type }) => type)).toEqual(['envelope.sent', 'envelope.expired']);
    expect((await get(`/${first.id}`)).body).toMatchObject({ ended_at: expect.any(String), credits_refunded: 0 });
  });
});

test('the trail is paged, ascending, and verifies; a changed row breaks it', async () => {
  const envelope = await send();
  for (let n = 0; n < 4; n++) await post(`/${envelope.id}/signers/${signerOf(envelope, 'seller')}/rotate-token`);
  const first = (await get<AuditPage>(`/${envelope.id}/audit?limit=3`)).body;
  const rest = (await get<AuditPage>(`/${envelope.id}/audit?limit=3&cursor=${first.next_cursor}`)).body;
  const trail = [...first.data, ...rest.data];
  expect([trail.map(({ seq }) => seq), rest.next_cursor]).toEqual([[1, 2, 3, 4, 5], null]);
  expect(verifyChain(trail).valid).toBe(true);
  expect((await get(`/${envelope.id}/audit?cursor=abc`)).status).toBe(400);
  await database.query('alter table signing.envelope_event disable trigger all');
  await database.query(`update signing.envelope_event set data = '{}' where envelope_id = $1 and seq = 2`, [
    uuidOf('env', envelope.id),
  ]);
  await database.query('alter table signing.envelope_event enable trigger all');
  expect(verifyChain(await trailOf(envelope.id))).toEqual({ valid: false, seq: 2, fault: 'altered' });
});

test("another tenant's envelope is as unknown as one that never was, and so is another envelope's signer", async () => {
  const envelope: CreatedEnvelopeView = await send();
  const second = await send();
  const signer = signerOf(envelope, 'buyer');
  const { apiKey } = await testTenant(database);
  const nobody = typeId('env', randomUUID());
  const plain = ({ request_id: _, instance: __, ...rest }: Problem) => rest;
  const routes: [string, string, object?][] = [
    ['GET', ''], ['GET', '/document'], ['GET', '/evidence'], ['GET', '/audit'], ['POST', '/void', { reason: 'x' }],
    ['POST', `/signers/${signer}/remind`], ['POST', `/signers/${signer}/rotate-token`],
  ]; // prettier-ignore
  for (const [method, rest, body] of routes) {
    const [theirs, unknown] = await Promise.all(
      [envelope.id, nobody].map((id) =>
        signing.call<Problem>(`/v1/envelopes/${id}${rest}`, { method, key: apiKey, body }),
      ),
    );
    expect([theirs?.status, unknown?.status]).toEqual([404, 404]);
    expect(plain(theirs?.body as Problem)).toEqual(plain(unknown?.body as Problem));
  }
  expect((await get<EnvelopePage>('', apiKey)).body.data).toEqual([]);
  for (const action of ['remind', 'rotate-token']) {
    expect((await post(`/${second.id}/signers/${signer}/${action}`)).status).toBe(404);
    expect((await post(`/${second.id}/signers/sgn_x/${action}`)).status).toBe(404);
  }
  expect((await get(`/${envelope.id}`)).body.status).toBe('sent');
});
