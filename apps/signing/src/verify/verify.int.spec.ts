import { createHash, createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto';
import { canonicalJson, randomSecret43, typeId, uuidv7 } from '@constancia/kernel';
import { ContractChecker, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { minimalPdf, type RunningSigning, runningSigning, seal, TEST_KEY } from '../running-signing.fixture.ts';
import type { PublicEnvelopeView } from './public-envelope-view.ts';
import type { SealedDocumentView } from './find-by-hash.ts';

let store: TestDatabase;
let signing: RunningSigning;
let tenant: TestTenant;

beforeAll(async () => {
  store = await testDatabase();
  signing = await runningSigning(store, { check: (seen) => ContractChecker.of('signing').check(seen) });
  tenant = await testTenant(store);
});
afterAll(async () => {
  await signing?.close();
  await store?.drop();
});

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function sealedSignature(pdf: Buffer): Promise<string> {
  const id = await signing.signature(tenant.apiKey, await signing.template(tenant.apiKey));
  await seal(store, signing.folder, id, pdf);
  return id;
}

/** Gives an envelope the seal of a signature request, as if the worker had sealed it. */
async function envelope(options: { sealedAs?: string; name?: string | null } = {}): Promise<{ publicId: string }> {
  const [circuit, id, publicId] = [uuidv7(), uuidv7(), randomSecret43().slice(0, 22)];
  await store.query(
    `insert into signing.circuit (id, tenant_id, code, name, version, status, base_pdf_sha256, base_pdf_key, base_pdf_size, page_count, published_at)
     values ($1, $2, $3, 'Contrato', 1, 'published', $4, 'k', 1, 1, now())`,
    [circuit, tenant.id, randomUUID(), createHash('sha256').update(minimalPdf()).digest()],
  );
  await store.query(
    `insert into signing.envelope (id, tenant_id, circuit_id, public_id, credits_debited, expires_at)
     values ($1, $2, $3, $4, 40, now() + interval '1 day')`,
    [id, tenant.id, circuit, publicId],
  );
  const landlord = uuidv7();
  for (const [role, ord] of [
    ['tenant', 2],
    ['landlord', 1],
  ] as const)
    // prettier-ignore
    await store.query(
      `insert into signing.envelope_signer (id, tenant_id, envelope_id, role, ord, email, name, auth, status, token_hash, token_sealed)
       values ($1, $2, $3, $4, $5, $6, $7, '{otp_email}', 'pending', $8, '')`,
      [
        role === 'landlord' ? landlord : uuidv7(),
        tenant.id,
        id,
        role,
        ord,
        `${role}@canary.example`,
        options.name === undefined ? 'María Peña' : options.name,
        randomBytes(32),
      ],
    );
  for (const type of ['envelope.sent', 'signer.notified'])
    await store.query('select signing.record_envelope_event($1, $2)', [
      tenant.id,
      JSON.stringify({
        envelope_id: id,
        type,
        role: type === 'envelope.sent' ? null : 'landlord',
        signer_id: type === 'envelope.sent' ? null : typeId('sgn', landlord),
        ip: '203.0.113.77',
        user_agent: 'Canary/1.0',
        data: canonicalJson({ to: 'landlord@canary.example' }),
      }),
    ]);
  if (options.sealedAs)
    await store.query(
      `update signing.envelope e set status = 'sealed', (document_sha256, document_key, document_size, kms_key_arn, signature, signature_algorithm, signed_at)
         = (select document_sha256, document_key, document_size, kms_key_arn, signature, signature_algorithm, signed_at
              from signing.signature_request where id = $2)
        where e.id = $1`,
      [id, options.sealedAs],
    );
  return { publicId };
}

describe('GET /v1/verify/by-sha256/{sha256}', () => {
  it('shows anyone who holds a sealed file what proves it, without a key', async () => {
    const pdf = Buffer.concat([minimalPdf(2), Buffer.from('%one\n')]);
    await sealedSignature(pdf);
    const { status, body, headers } = await signing.call<SealedDocumentView>(`/v1/verify/by-sha256/${sha256Of(pdf)}`);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      kind: 'signature',
      status: 'signed',
      public_id: null,
      document_sha256: sha256Of(pdf),
      kms_key_arn: TEST_KEY.arn,
      signature: expect.stringMatching(/^[0-9a-f]{512}$/),
      signature_algorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
      signed_at: expect.stringMatching(/Z$/),
      public_key_url: `http://signing.test/keys/${TEST_KEY.fingerprint}.pem`,
      certificate_url: `http://signing.test/keys/${TEST_KEY.fingerprint}.crt`,
    });
    const { body: pem } = await signing.call<string>(new URL(body.public_key_url as string).pathname);
    expect(verify('RSA-SHA256', pdf, createPublicKey(pem), Buffer.from(body.signature as string, 'hex'))).toBe(true);
  });

  it('takes upper-case digits, and knows nothing of another hash, an unsigned template or a malformed one', async () => {
    const pdf = Buffer.concat([minimalPdf(2), Buffer.from('%two\n')]);
    await sealedSignature(pdf);
    expect((await signing.call(`/v1/verify/by-sha256/${sha256Of(pdf).toUpperCase()}`)).status).toBe(200);
    const others = [
      sha256Of(Buffer.concat([pdf, Buffer.from(' ')])),
      sha256Of(minimalPdf()),
      'abc',
      `${'0'.repeat(63)}g`,
    ];
    for (const other of others) expect((await signing.call(`/v1/verify/by-sha256/${other}`)).status).toBe(404);
  });

  it('names the key that made the signature, of several under one identifier', async () => {
    const pdf = Buffer.concat([minimalPdf(2), Buffer.from('%three\n')]);
    await sealedSignature(pdf);
    await store.query(
      `insert into signing.signing_key (fingerprint, key_arn, algorithm, public_key_pem) values ($1, $2, 'x', $3)`,
      [randomBytes(32), TEST_KEY.arn, '-----BEGIN PUBLIC KEY-----\nMA==\n-----END PUBLIC KEY-----\n'],
    );
    const { body } = await signing.call<SealedDocumentView>(`/v1/verify/by-sha256/${sha256Of(pdf)}`);
    expect(body.public_key_url).toContain(TEST_KEY.fingerprint);
  });

  it('finds the hash by an index', async () => {
    const plan = await store.query<{ 'QUERY PLAN': string }>(
      `explain select from signing.signature_request where document_sha256 = '\\x00' and status = 'signed'`,
    );
    expect(JSON.stringify(plan)).toContain('signature_request_document');
  });
});

describe('GET /v1/verify/{public_id}', () => {
  it('shows status, masked names and the links of the trail, and nothing about a person beyond that', async () => {
    const { publicId } = await envelope();
    const { status, body, headers, bytes } = await signing.call<PublicEnvelopeView>(`/v1/verify/${publicId}`);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({
      public_id: publicId,
      status: 'sent',
      tenant: { display_name: `Tenant ${tenant.slug}` },
      document_sha256: null,
      signature: null,
      public_key_url: null,
      base_document_sha256: sha256Of(minimalPdf()),
      signers: [
        { name_masked: 'M••• P•••', role: 'landlord', status: 'pending', signed_at: null },
        { name_masked: 'M••• P•••', role: 'tenant', status: 'pending', signed_at: null },
      ],
    });
    expect(body.trail.map(({ seq, type, role }) => [seq, type, role])).toEqual([
      [1, 'envelope.sent', null],
      [2, 'signer.notified', 'landlord'],
    ]);
    expect(body.trail[1]?.prev_hash).toBe(body.trail[0]?.hash);
    expect(body.trail_head).toBe(body.trail[1]?.hash);
    expect(Object.keys(body.trail[0] as object).sort()).toEqual(['at', 'hash', 'prev_hash', 'role', 'seq', 'type']);
    for (const personal of ['María', 'Peña', 'canary', '203.0.113', 'Canary', tenant.id])
      expect(bytes.toString()).not.toContain(personal);
  });

  it('carries the proof once the envelope is sealed, and its hash then leads to it', async () => {
    const pdf = Buffer.concat([minimalPdf(2), Buffer.from('%four\n')]);
    const request = await sealedSignature(pdf);
    const [{ uuid } = { uuid: '' }] = await store.query<{ uuid: string }>(
      'select id as uuid from signing.signature_request order by created_at desc limit 1',
    );
    expect(typeId('sig', uuid)).toBe(request);
    const { publicId } = await envelope({ sealedAs: uuid, name: null });
    await store.query('delete from signing.signature_request where id = $1', [uuid]);
    const { body } = await signing.call<PublicEnvelopeView>(`/v1/verify/${publicId}`);
    expect(body).toMatchObject({
      status: 'sealed',
      document_sha256: sha256Of(pdf),
      public_key_url: `http://signing.test/keys/${TEST_KEY.fingerprint}.pem`,
    });
    expect(body.signers.map(({ name_masked }) => name_masked)).toEqual([null, null]);
    const found = await signing.call<SealedDocumentView>(`/v1/verify/by-sha256/${sha256Of(pdf)}`);
    expect(found.body).toMatchObject({ kind: 'envelope', status: 'sealed', public_id: publicId });
  });

  it('answers 404 alike to unknown and malformed ids', async () => {
    for (const id of ['0'.repeat(22), 'short', `${'a'.repeat(21)}-`, typeId('env', uuidv7())]) {
      const { status, body } = await signing.call<{ type: string }>(`/v1/verify/${id}`);
      expect(status).toBe(404);
      expect(body.type).toMatch(/not-found$/);
    }
  });
});

describe('the limits of both', () => {
  it('count by address, since nobody shows a key', async () => {
    const limited = await runningSigning(store, {
      env: { RATE_LIMIT_IP: '3' },
      check: (seen) => ContractChecker.of('signing').check(seen),
    });
    try {
      const statuses: number[] = [];
      for (let call = 0; call < 4; call++)
        statuses.push(
          (await limited.call(`/v1/verify/${call % 2 ? `by-sha256/${'0'.repeat(64)}` : '0'.repeat(22)}`)).status,
        );
      expect(statuses).toEqual([404, 404, 404, 429]);
    } finally {
      await limited.close();
    }
  });
});
