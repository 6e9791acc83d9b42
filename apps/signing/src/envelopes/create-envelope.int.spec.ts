import { createHash, randomUUID } from 'node:crypto';
import { uuidOf } from '@constancia/kernel';
import { verifyChain } from '@constancia/persistence';
import { ContractChecker, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { draftCircuit, publishedCircuit, succeeded } from '../circuits/circuits.fixture.ts';
import type { CircuitView } from '../circuits/circuit-view.ts';
import { type Problem, type RunningSigning, runningSigning } from '../running-signing.fixture.ts';
import type { AuditPage } from './audit-view.ts';
import type { CreatedEnvelopeView, EnvelopeView } from './envelope-view.ts';
import { sentEnvelope, SIGNERS } from './envelopes.fixture.ts';
import { personDigest } from '../envelope-records/person-digest.ts';
import type { SignState } from '../signer-requests/sign-state-view.ts';

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

const bodyOf = (changes: object = {}) => ({ circuit_id: circuitId, signers: SIGNERS, ...changes });

function create<Body = CreatedEnvelopeView>(body: unknown = bodyOf(), headers: Record<string, string> = {}) {
  return signing.call<Body>('/v1/envelopes', { key: tenant.apiKey, body, headers });
}

/** What the tenant has: credits and rows. */
async function standing(): Promise<Record<string, number>> {
  const counted = (table: string) => `(select count(*) from ${table} where tenant_id = $1)::int`;
  const [row] = await database.query<Record<string, number>>(
    `select (select available from platform.credit_account where tenant_id = $1)::int as available,
            ${counted('signing.envelope')} as envelopes, ${counted('signing.envelope_signer')} as signers,
            ${counted('signing.signer_mail')} as mails, ${counted('signing.envelope_event')} as trail,
            ${counted('platform.event')} as events,
            (select count(*) from platform.credit_entry where tenant_id = $1 and kind = 'debit')::int as debits`,
    [tenant.id],
  );
  return row as Record<string, number>;
}

const NOTHING = { available: 1000, envelopes: 0, signers: 0, mails: 0, trail: 0, events: 0, debits: 0 };
const ONE = { available: 960, envelopes: 1, signers: 2, mails: 1, trail: 1, events: 1, debits: 1 };

describe('POST /v1/envelopes', () => {
  test('has the name of the circuit for a subject when it is sent without one, for the sender and for the signer', async () => {
    const { body } = await create();
    const circuit = await signing.call<{ name: string }>(`/v1/circuits/${circuitId}`, { key: tenant.apiKey });
    const shown = await signing.call<EnvelopeView>(`/v1/envelopes/${body.id}`, { key: tenant.apiKey });
    const signer = await signing.call<SignState>(`/v1/sign/${body.signers[0]?.sign_token}`, {});
    expect(circuit.body.name.length).toBeGreaterThan(3);
    expect([shown.body.subject, signer.body.envelope.subject]).toEqual([circuit.body.name, circuit.body.name]);
  });

  test('answers 201 exactly as published, with a link per signer, and debits 40 credits', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    const link = {
      id: expect.stringMatching(/^sgn_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      sign_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      sign_url: expect.stringMatching(/^http:\/\/sign\.test\/[A-Za-z0-9_-]{43}$/),
    };
    expect(body).toEqual({
      id: expect.stringMatching(/^env_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      circuit_id: circuitId,
      status: 'sent',
      signers: [
        {
          ...link,
          role: 'buyer',
          email: 'ana@example.org',
          phone: null,
          name: 'Ana Ñungo',
          order: 1,
          status: 'pending',
        },
        { ...link, role: 'seller', email: 'luis@example.org', phone: null, name: null, order: 2, status: 'waiting' },
      ],
      expires_at: expect.any(String),
      credits_debited: 40,
      created_at: expect.any(String),
      external_ref: null,
      metadata: {},
      reminders: null,
    });
    expect(body.signers.every(({ sign_token, sign_url }) => sign_url.endsWith(`/${sign_token}`))).toBe(true);
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(30 * 86_400_000);
    expect(await standing()).toEqual(ONE);
    const entries = await database.query(
      `select module, ref_type, ref_id from platform.credit_entry where kind = 'debit' and tenant_id = $1`,
      [tenant.id],
    );
    expect(entries).toEqual([{ module: 'seal', ref_type: 'envelope', ref_id: uuidOf('env', body.id) }]);
  });

  test('external_ref and metadata are returned, included in the event, and narrow the list', async () => {
    const own = { external_ref: 'loan-42', metadata: { branch: 'Chapinero' } };
    const { body } = await create(bodyOf(own));
    await create(bodyOf({ external_ref: 'loan-43' }));
    expect(body).toMatchObject(own);
    const listed = (query: string) =>
      signing.call<{ data: EnvelopeView[] }>(`/v1/envelopes?${query}`, { key: tenant.apiKey });
    const found = await listed('external_ref=loan-42&status=sent&status=sealed');
    expect(found.body.data).toMatchObject([{ id: body.id, ...own }]);
    expect((await listed('external_ref=loan-4')).body.data).toEqual([]);
    const [event] = await database.query<{ external_ref: string; payload: object }>(
      `select external_ref, body::jsonb -> 'payload' as payload from platform.event where tenant_id = $1 and external_ref = 'loan-42'`,
      [tenant.id],
    );
    expect(event).toMatchObject({ external_ref: 'loan-42', payload: { envelope_id: body.id, ...own } });
    const tooMuch = await create<Problem>(bodyOf({ external_ref: 'x'.repeat(201), metadata: { n: 'x'.repeat(501) } }));
    expect(tooMuch.body.errors?.map(({ pointer }) => pointer)).toEqual(['/external_ref', '/metadata']);
  });

  test('tokens are kept as their SHA-256 and sealed, never as they are', async () => {
    const { body } = await create();
    const [row] = await database.query<{ token_hash: Buffer; all: string }>(
      `select token_hash, s::text || e::text as all from signing.envelope_signer s join signing.envelope e on e.id = envelope_id
        where s.id = $1`,
      [uuidOf('sgn', body.signers[0]?.id ?? '')],
    );
    const token = body.signers[0]?.sign_token ?? '';
    expect(row?.token_hash.equals(createHash('sha256').update(token).digest())).toBe(true);
    expect(row?.all).not.toContain(token);
    expect(row?.all).not.toContain(Buffer.from(token).toString('hex'));
    const [xml] = await database.query<{ xml: string }>(
      `select schema_to_xml('signing', false, false, '')::text || schema_to_xml('platform', false, false, '')::text as xml`,
    );
    expect(xml?.xml).not.toContain(token);
  });

  test('the trail begins with what was sent to whom, and the event reports it to the tenant', async () => {
    const { body } = await create(
      bodyOf({ subject: 'Apartamento 301', expires_in_days: 2, locale: 'en', notify: false }),
    );
    const audit = await signing.call<AuditPage>(`/v1/envelopes/${body.id}/audit`, { key: tenant.apiKey });
    const { body: shown } = await signing.call<EnvelopeView>(`/v1/envelopes/${body.id}`, { key: tenant.apiKey });
    const digests = shown.signers.map(({ email, name, person_salt: salt }) => personDigest({ email, name, salt: salt as string })); // prettier-ignore
    expect(audit.body.data).toMatchObject([
      {
        seq: 1,
        type: 'envelope.sent',
        signer_id: null,
        data: {
          by: { kind: 'key', id: expect.any(String), name: expect.any(String) },
          base_pdf_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          signers: [
            { role: 'buyer', order: 1, auth: ['otp_email'], person_sha256: digests[0] },
            { role: 'seller', order: 2, person_sha256: digests[1] },
          ],
        },
      },
    ]);
    expect(verifyChain(audit.body.data).valid).toBe(true);
    const [event] = await database.query<{ body: string }>('select body from platform.event where tenant_id = $1', [
      tenant.id,
    ]);
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      module: 'seal',
      event_type: 'seal.envelope.sent',
      payload: { envelope_id: body.id, circuit_id: circuitId, signer: null, at: expect.any(String) },
    });
    expect(await standing()).toEqual({ ...ONE, mails: 0 });
    expect(shown.signers).toMatchObject([{ email: 'ana@example.org' }, { name: null }]);
    for (const { email } of shown.signers) expect(JSON.stringify(audit.body)).not.toContain(email);
    expect(shown).toMatchObject({ subject: 'Apartamento 301', locale: 'en', notify: false });
  });

  const [BUYER, SELLER] = SIGNERS as [object, object];
  test.each<[string, object, string[]]>([
    ['nothing', { circuit_id: undefined, signers: undefined }, ['/circuit_id', '/signers']],
    ['a member that is not known', { colour: 1 }, ['/colour']],
    ['no signers', { signers: [] }, ['/signers']],
    ['a missing role', { signers: [BUYER] }, ['/signers']],
    ['an unknown role', { signers: [BUYER, SELLER, { role: 'notary', email: 'n@example.org' }] }, ['/signers/2/role']],
    ['a role twice', { signers: [BUYER, SELLER, BUYER] }, ['/signers/2/role']],
    ['an access code that nobody asks for', { signers: [{ ...BUYER, access_code: 'abcd' }, SELLER] }, ['/signers/0/access_code']],
    ['wrong options', { expires_in_days: 366, notify: 'yes', locale: 'fr', subject: '', message: 'a\u0007' },
      ['/expires_in_days', '/locale', '/message', '/notify', '/subject']],
    ['a subject of two lines', { subject: 'Hi\r\nBcc: eve@example.org' }, ['/subject']],
    ['a name of two lines', { signers: [{ ...BUYER, name: 'Ana\nBcc: x' }, SELLER] }, ['/signers/0/name']],
    ['a hidden character in subject and message', { subject: 'Hi\u202e', message: 'a\nb\u200b' }, ['/message', '/subject']],
    ['a name with a letter of another script', { signers: [{ ...BUYER, name: 'Bаnco' }, SELLER] }, ['/signers/0/name']],
    ['no days', { expires_in_days: 0 }, ['/expires_in_days']],
  ])('%s is refused with pointers, and nothing is charged', async (_, changes, pointers) => {
    const { status, body } = await create<Problem>(bodyOf(changes));
    expect(status).toBe(400);
    expect([...new Set(body.errors?.map(({ pointer }) => pointer))]).toEqual(pointers);
    expect(await standing()).toEqual(NOTHING);
  }); // prettier-ignore

  test.each([
    'ana', 'ana@', '@example.org', 'ana@example', 'Ana <ana@example.org>', 'ana@example.org, eve@example.org', '"a b"@example.org',
    'ana@example.org\r\nBcc: eve@example.org', ' ana@example.org', 7, null,
  ])('%j is no mail address', async (email) => {
    const { status, body } = await create<Problem>(bodyOf({ signers: [{ ...BUYER, email }, SELLER] }));
    expect([status, body.errors?.map(({ pointer }) => pointer)]).toEqual([400, ['/signers/0/email']]);
  }); // prettier-ignore

  test('an access code is asked for where the role is authenticated by one, and kept hashed', async () => {
    const signers = [{ role: 'a', auth: ['access_code', 'otp_email'], order: 1 }];
    const fields = [{ key: 'f', page: 1, x: 1, y: 1, type: 'signature', signer: 'a' }];
    const id = await publishedCircuit(signing, tenant.apiKey, { definition: { signers, fields } });
    const of = (code?: unknown) => ({
      circuit_id: id,
      signers: [{ role: 'a', email: 'a@example.org', access_code: code }],
    });
    for (const code of [undefined, 'abc', 'x'.repeat(65), 1234]) {
      const { status, body } = await create<Problem>(of(code));
      expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/signers/0/access_code']);
    }
    const { status } = await create(of('ceiba'), { 'idempotency-key': randomUUID() });
    expect(status).toBe(201);
    const [row] = await database.query<{ access_code_hash: string }>(
      `select access_code_hash from signing.envelope_signer where tenant_id = $1 and role = 'a'`,
      [tenant.id],
    );
    expect(row?.access_code_hash).toMatch(/^scrypt\$16384\$8\$1\$/);
    const [xml] = await database.query<{ xml: string }>(
      `select schema_to_xml('signing', false, false, '')::text as xml`,
    );
    expect(xml?.xml).not.toContain('ceiba');
  });

  test('a circuit that is unknown or of another tenant is 404, one that is not published 409, and nothing is charged', async () => {
    const draft = await draftCircuit(signing, tenant.apiKey);
    const other = await testTenant(database);
    const foreign = await publishedCircuit(signing, other.apiKey);
    const next = succeeded(
      await signing.call<CircuitView>(`/v1/circuits/${circuitId}/clone`, { method: 'POST', key: tenant.apiKey }),
    );
    await signing.call(`/v1/circuits/${next.id}/publish`, { method: 'POST', key: tenant.apiKey });
    const outcomes: [string, number, string?][] = [
      ['cir_nothing', 404],
      [foreign, 404],
      [draft, 409, 'draft'],
      [circuitId, 409, 'deprecated'],
    ];
    for (const [id, expected, state] of outcomes) {
      const { status, body } = await create<Problem & { status_of_circuit?: string }>(bodyOf({ circuit_id: id }));
      expect([status, body.status_of_circuit]).toEqual([expected, state]);
    }
    expect(await standing()).toEqual(NOTHING);
  });

  test('without the credits it is 402, and nothing is there', async () => {
    const poor = await testTenant(database, { credits: 39 });
    const id = await publishedCircuit(signing, poor.apiKey);
    const { status, body } = await signing.call<Problem>('/v1/envelopes', {
      key: poor.apiKey,
      body: { circuit_id: id, signers: SIGNERS },
      headers: { 'idempotency-key': randomUUID() },
    });
    expect([status, body.type]).toEqual([402, 'http://platform.test/problems/insufficient-acai']);
    tenant = poor;
    expect(await standing()).toEqual({ ...NOTHING, available: 39 });
  });
});

describe('an Idempotency-Key', () => {
  const key = () => ({ 'idempotency-key': randomUUID() });

  test('of many requests at once, one is carried out, and all get the same links', async () => {
    const headers = key();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(bodyOf(), headers)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ bytes }) => bytes.toString())).size).toBe(1);
    expect(answers.filter(({ headers: got }) => got.get('idempotent-replayed') === 'true')).toHaveLength(7);
    expect(await standing()).toEqual(ONE);
  });

  test('another body is 422', async () => {
    const headers = key();
    await create(bodyOf(), headers);
    expect((await create(bodyOf({ subject: 'x' }), headers)).status).toBe(422);
    expect(await standing()).toEqual(ONE);
  });

  test('answers the same after the circuit was replaced', async () => {
    const headers = key();
    const first = await create(bodyOf(), headers);
    const next = await signing.call<CircuitView>(`/v1/circuits/${circuitId}/clone`, {
      method: 'POST',
      key: tenant.apiKey,
    });
    await signing.call(`/v1/circuits/${next.body.id}/publish`, { method: 'POST', key: tenant.apiKey });
    const again = await create(bodyOf(), headers);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    expect((await create(bodyOf(), key())).status).toBe(409);
  });

  test('that is no UUID is 400', async () => {
    expect((await create(bodyOf(), { 'idempotency-key': 'x' })).status).toBe(400);
  });
});

test('many envelopes at once are each whole and each paid for once', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => sentEnvelope(signing, tenant.apiKey, circuitId)));
  expect(new Set(made.flatMap(({ signers }) => signers.map(({ sign_token }) => sign_token))).size).toBe(40);
  expect(await standing()).toEqual({
    available: 200,
    envelopes: 20,
    signers: 40,
    mails: 20,
    trail: 20,
    events: 20,
    debits: 20,
  });
});
