import { createHash, randomUUID } from 'node:crypto';
import type { ErasureResultMessage, ModuleErasure } from '@constancia/contracts';
import { typeId, uuidOf, uuidv7 } from '@constancia/kernel';
import { verifyChain } from '@constancia/persistence';
import {
  ContractChecker,
  eventually,
  testDatabase,
  type TestDatabase,
  testTenant,
  type TestTenant,
} from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { queuesOfApp } from '../../../../libs/queue/src/queues-of-app.fixture.ts';
import { type Problem, type RunningSigning, runningSigning, seal } from '../running-signing.fixture.ts';
import { definitionOf, Signing } from '../sign/sign.fixture.ts';
import type { ErasureView } from './erasure-view.ts';

const ANA = 'ana.canario@correo.example.co';

let database: TestDatabase;
let running: RunningSigning;
let tenant: TestTenant;
let signing: Signing;

beforeAll(async () => {
  database = await testDatabase();
  running = await runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) });
});

beforeEach(async () => {
  tenant = await testTenant(database);
  signing = new Signing(running, database, tenant.apiKey);
});

afterAll(async () => {
  await running?.close();
  await database?.drop();
});

const erase = (body: object) => running.call<ErasureView & Problem>('/v1/erasures', { key: tenant.apiKey, body });
const receipt = (id: string, key = tenant.apiKey) => running.call<ErasureView & Problem>(`/v1/erasures/${id}`, { key });
const partOf = ({ body }: { body: ErasureView }) => body.modules[0] as ModuleErasure;

const keysOf = (signerId = '') =>
  database.query('select wrapped_key, destroyed_at from signing.subject_key where id = $1', [uuidOf('sgn', signerId)]);

/** Signers of the tenant as they are kept. */
const signersKept = () =>
  database.query('select * from signing.envelope_signer where tenant_id = $1 order by role', [tenant.id]);

describe('POST /v1/erasures', () => {
  test('of a person of whom nothing is there answers a receipt, the same one again, also by its id', async () => {
    const first = await erase({ subject_ref: 'nobody' });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      receipt_id: expect.stringMatching(/^rcp_/),
      erased_at: expect.stringMatching(/Z$/),
      modules: [{ module: 'signing', status: 'done', erased: [], kept: [], legal_basis: null, kept_until: null }],
    });
    expect((await erase({ subject_ref: 'nobody' })).body).toEqual(first.body);
    expect((await receipt(first.body.receipt_id)).body).toEqual(first.body);
    const stranger = await testTenant(database);
    expect((await receipt(first.body.receipt_id, stranger.apiKey)).status).toBe(404);
    expect((await receipt(typeId('rcp', randomUUID()))).status).toBe(404);
  });

  test('an open envelope of the person is voided, and the name, address and link are gone', async () => {
    const definition = definitionOf([{ role: 'a' }, { role: 'b' }]);
    const { id, signers } = await signing.envelope(await signing.circuit(definition), [
      { role: 'a', email: ANA, name: 'Ana Canario' },
      { role: 'b', name: 'Luis' },
    ]);
    const token = signers.find(({ role }) => role === 'a')?.sign_token as string;
    await signing.consent(token);
    const answered = await erase({ subject_ref: 'customer-1', email: ANA.toUpperCase() });
    expect(partOf(answered)).toMatchObject({ status: 'done', erased: ['signers'], kept: ['envelope_trails'] });
    expect(partOf(answered).legal_basis).toContain('527');
    const shown = await signing.asTenant<{ status: string; signers: object[] }>('GET', `/v1/envelopes/${id}`);
    expect(shown.body.status).toBe('voided');
    expect(shown.body.signers).toMatchObject([{ email: 'erased@erased.invalid', name: null }, { name: 'Luis' }]);
    expect((await signing.get<Problem>(token)).status).toBe(404);
    expect(JSON.stringify(await signersKept())).not.toContain('ana.canario');
    const mails = await database.query(
      `select m.kind from signing.signer_mail m join signing.envelope_signer s on s.id = m.signer_id
        where s.tenant_id = $1 and s.role = 'a' and m.sent_at is null and m.failed_at is null`,
      [tenant.id],
    );
    expect(mails).toEqual([]);
    expect((await erase({ subject_ref: 'customer-1', email: ANA })).body).toEqual(answered.body);
  });

  test('the stored answer of the envelope, with addresses and links, is gone: a repetition is 409', async () => {
    const circuit_id = await signing.circuit();
    const body = { circuit_id, signers: [{ role: 'a', email: ANA, name: 'Ana Canario' }] };
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => running.call<Problem>('/v1/envelopes', { key: tenant.apiKey, body, headers });
    expect([(await send()).status, (await send()).status]).toEqual([201, 201]);
    await erase({ subject_ref: 'customer-1', email: ANA });
    const again = await send();
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('erased')]);
    const [kept] = await database.query('select body from signing.idempotency_key where tenant_id = $1', [tenant.id]);
    expect(kept).toEqual({ body: null });
  });

  test('what a signer has entered and proven so far is gone, and of a signature its digest of values', async () => {
    const roles = [{ role: 'a' }, { role: 'b', order: 2 }];
    const definition = definitionOf(roles);
    definition.fields.push({
      key: 'city',
      page: 1,
      x: 72,
      y: 400,
      type: 'text',
      signer: 'a',
      required: false,
    } as never);
    const sent = await signing.envelope(await signing.circuit(definition), [{ role: 'a', email: ANA }, { role: 'b' }]);
    const token = sent.signers.find(({ role }) => role === 'a')?.sign_token as string;
    await signing.authenticated(token);
    expect((await signing.send('PUT', token, 'draft', { fields: { city: 'Cali' } })).status).toBe(204);
    const signed = await signing.envelope(await signing.circuit(definition), [
      { role: 'a', email: ANA },
      { role: 'b' },
    ]);
    await signing.signed(signed.signers.find(({ role }) => role === 'a')?.sign_token as string);
    const left = () =>
      database.query(
        `select id from signing.envelope_signer s where s.tenant_id = $1 and (values_digest is not null
            or exists (select from signing.signer_draft d where d.signer_id = s.id)
            or exists (select from signing.signer_proof p where p.signer_id = s.id))`,
        [tenant.id],
      );
    expect(await left()).toHaveLength(2);
    expect(partOf(await erase({ subject_ref: 'customer-1', email: ANA }))).toMatchObject({ erased: ['signers'] });
    expect(await left()).toEqual([]);
  });

  test('the personal data in a declined envelope is gone, and its trail still verifies', async () => {
    const sent = await signing.envelope(await signing.circuit(), [{ role: 'a', email: ANA, name: 'Ana Canario' }]);
    const token = sent.signers[0]?.sign_token as string;
    await signing.authenticated(token);
    expect((await signing.post(token, 'decline', { reason: 'Soy Ana' })).status).toBe(200);
    await database.query(
      `update signing.envelope_signer set signed_ip = '203.0.113.7', field_values = '{"city": "Cali"}' where tenant_id = $1`,
      [tenant.id],
    );
    const [key] = await keysOf(sent.signers[0]?.id);
    expect(key).toMatchObject({ wrapped_key: expect.any(Buffer), destroyed_at: null });
    expect(partOf(await erase({ subject_ref: 'customer-1', email: ANA }))).toMatchObject({ erased: ['signers'] });
    const kept = JSON.stringify(await signersKept());
    for (const word of ['Ana', '203.0.113.7', 'Cali']) expect(kept).not.toContain(word);
    const trail = await signing.trail(sent.id);
    expect(JSON.stringify(trail)).not.toContain('Ana');
    expect(JSON.stringify(trail)).not.toContain(ANA);
    expect(verifyChain(trail as never)).toMatchObject({ valid: true });
    expect(await keysOf(sent.signers[0]?.id)).toMatchObject([{ wrapped_key: null, destroyed_at: expect.any(Date) }]);
  });

  test('a request that waits for its seal is finished first; then its document is kept, and the receipt is done', async () => {
    const templateId = await running.template(tenant.apiKey, [{ key: 'name', page: 1, x: 72, y: 700 }]);
    const requestId = await running.signature(tenant.apiKey, templateId, {
      subject_ref: 'customer-9',
      merge_data: { name: 'Ana Canario' },
    });
    const answered = await erase({ subject_ref: 'customer-9' });
    expect(partOf(answered)).toMatchObject({ status: 'pending', erased: ['merge_data'], kept: [] });
    await seal(database, running.folder, requestId);
    const later = await receipt(answered.body.receipt_id);
    expect(partOf(later)).toMatchObject({ status: 'done', erased: ['merge_data'], kept: ['sealed_documents'] });
    expect((await running.call(`/v1/signatures/${requestId}/document`, { key: tenant.apiKey })).status).toBe(200);
    await running.signature(tenant.apiKey, templateId, { subject_ref: 'customer-9' });
    expect((await erase({ subject_ref: 'customer-9' })).body.receipt_id).not.toBe(answered.body.receipt_id);
  });

  test('an envelope that all have signed is sealed first: kept then, and erased when its seal fails', async () => {
    for (const end of ['sealed', 'failed'] as const) {
      const email = `${end}.${ANA}`;
      const sent = await signing.envelope(await signing.circuit(), [{ role: 'a', email, name: 'Ana Canario' }]);
      const token = sent.signers[0]?.sign_token as string;
      await signing.signed(token);
      const answered = await erase({ subject_ref: `customer-${end}`, email });
      expect(partOf(answered)).toMatchObject({ status: 'pending', erased: [], kept: ['envelope_trails'] });
      const columns =
        end === 'failed'
          ? `failure_code = 'internal', failure_reason = 'x'`
          : `document_sha256 = sha256('x'), document_key = 'x', document_size = 1, kms_key_arn = 'x', signature = '\\x00',
             signature_algorithm = 'x', signed_at = now()`;
      const uuid = uuidOf('env', sent.id);
      await database.query(`update signing.envelope set status = '${end}', ${columns} where id = $1`, [uuid]);
      const part = partOf(await receipt(answered.body.receipt_id));
      expect(part.status).toBe('done');
      expect(part.erased).toEqual(end === 'failed' ? ['signers'] : []);
      expect(part.kept).toEqual(end === 'failed' ? ['envelope_trails'] : ['sealed_documents', 'envelope_trails']);
    }
    const shown = await signing.asTenant<{ data: { signers: { email: string }[] }[] }>('GET', '/v1/envelopes');
    const addresses = shown.body.data.flatMap(({ signers }) => signers.map(({ email }) => email));
    expect(addresses).toEqual(['erased@erased.invalid', `sealed.${ANA}`]);
  });

  test('all errors in a body are reported, and nothing is changed', async () => {
    const { status, body } = await erase({ email: 'nobody', colour: 1 });
    expect(status).toBe(400);
    expect(body.errors?.map(({ pointer }) => pointer)).toEqual(['/colour', '/email', '/subject_ref']);
  });
});

test('a trail names its signers by a digest that the salt in their rows opens', async () => {
  const sent = await signing.envelope(await signing.circuit(), [{ role: 'a', email: ANA, name: 'Ana Canario' }]);
  const shown = await signing.asTenant<{ signers: { person_salt: string }[] }>('GET', `/v1/envelopes/${sent.id}`);
  const [first] = await signing.trail(sent.id);
  const canonical = `{"email":"${ANA}","name":"Ana Canario","salt":"${shown.body.signers[0]?.person_salt}"}`;
  const digest = createHash('sha256').update(canonical).digest('hex');
  expect(first?.data.salt).toMatch(/^[0-9a-f]{32}$/);
  expect(first?.data.signers).toEqual([{ role: 'a', order: 1, auth: ['otp_email'], person_sha256: digest }]);
});

describe('an erasure that the identity module asks for', () => {
  test('is carried out once, and answered as often as it comes', async () => {
    const results: ErasureResultMessage[] = [];
    const platform = await queuesOfApp(database, 'platform', () => ({
      'erasure-result': async (message) => void results.push(message),
    }));
    try {
      await signing.envelope(await signing.circuit(), [{ role: 'a', email: ANA }]);
      const id = uuidv7();
      const request = {
        subject_refs: ['sub_1', 'customer-1'],
        email: ANA,
        actor: 'key',
        relationship_ended_at: new Date().toISOString(),
      };
      for (const round of [1, 2]) {
        const message = { v: 1, id, tenant_id: tenant.id, sealed: platform.seal(request) } as const;
        platform.hint('signing-erasure', message, `${id}-${round}`);
        await eventually(() => {
          expect(results).toHaveLength(round);
          return Promise.resolve();
        }, 20_000);
      }
      for (const { sealed, ...ids } of results) {
        expect(ids).toMatchObject({ v: 1, id, tenant_id: tenant.id });
        expect(platform.open(sealed)).toMatchObject({ module: 'signing', status: 'done', erased: ['signers'] });
      }
      expect(JSON.stringify(await signersKept())).not.toContain(ANA);
      expect((await receipt(typeId('rcp', id))).status).toBe(200);
    } finally {
      await platform.close({ drainMs: 0 });
    }
  });
});
