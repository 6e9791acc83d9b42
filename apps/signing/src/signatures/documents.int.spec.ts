import { createHash, createPublicKey, verify, X509Certificate } from 'node:crypto';
import { uuidOf } from '@constancia/kernel';
import { ContractChecker, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  embedded,
  minimalPdf,
  type RunningSigning,
  runningSigning,
  seal,
  TEST_KEY,
} from '../running-signing.fixture.ts';
import type { EvidenceView } from '../document-evidence/evidence-view.ts';
import type { SigningKeyList } from '../signing-keys/signing-key-view.ts';
import type { SignatureView } from './signature-view.ts';
import type { VerificationView } from './verification-view.ts';

const INTEGRITY = [
  'x-document-sha256',
  'x-kms-key-arn',
  'x-signature-algorithm',
  'x-signature',
  'x-kms-signature',
  'etag',
];

let database: TestDatabase;
let signing: RunningSigning;
let tenant: TestTenant;
let id: string;

beforeAll(async () => {
  database = await testDatabase();
  signing = await runningSigning(database, { check: (seen) => ContractChecker.of('signing').check(seen) });
});

beforeEach(async () => {
  tenant = await testTenant(database);
  id = await signing.signature(tenant.apiKey, await signing.template(tenant.apiKey));
});

afterAll(async () => {
  await signing?.close();
  await database?.drop();
});

const download = (headers: Record<string, string> = {}) =>
  signing.call(`/v1/signatures/${id}/document`, { key: tenant.apiKey, headers });

function verification(body?: unknown, headers: Record<string, string> = {}) {
  return signing.call<VerificationView>(`/v1/signatures/${id}/verify`, {
    method: 'POST',
    key: tenant.apiKey,
    body,
    headers: body === undefined ? headers : { 'content-type': 'application/pdf', ...headers },
  });
}

const fail = () =>
  database.query(
    `update signing.signature_request set status = 'failed', failure_code = 'invalid_pdf', failure_reason = 'x' where id = $1`,
    [uuidOf('sig', id)],
  );

describe('GET /v1/signatures/{id}/document', () => {
  test('answers the sealed bytes with everything that proves them', async () => {
    const pdf = await seal(database, signing.folder, id);
    const { status, headers, bytes } = await download();
    const sha256 = createHash('sha256').update(pdf).digest('hex');
    expect(status).toBe(200);
    expect(bytes.equals(pdf)).toBe(true);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-length')).toBe(String(pdf.length));
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${id}.pdf"`);
    expect(headers.get('etag')).toBe(`"${sha256}"`);
    expect(headers.get('x-document-sha256')).toBe(sha256);
    expect(headers.get('x-kms-key-arn')).toBe(TEST_KEY.arn);
    expect(headers.get('x-signature-algorithm')).toBe('RSASSA_PKCS1_V1_5_SHA_256');
    expect(headers.get('x-kms-signature')).toBe(headers.get('x-signature'));
    expect(verify('sha256', bytes, TEST_KEY.pem, Buffer.from(headers.get('x-signature') ?? '', 'hex'))).toBe(true);
  });

  test('the request then shows when it was signed, and the digest', async () => {
    const pdf = await seal(database, signing.folder, id);
    const { body } = await signing.call<SignatureView>(`/v1/signatures/${id}`, { key: tenant.apiKey });
    expect(body).toMatchObject({
      status: 'signed',
      signed_at: expect.stringMatching(/Z$/),
      document_sha256: createHash('sha256').update(pdf).digest('hex'),
    });
    expect(body).not.toHaveProperty('failure_reason');
  });

  test('who holds the bytes already gets 304 without them', async () => {
    await seal(database, signing.folder, id);
    const etag = (await download()).headers.get('etag') as string;
    const { status, bytes, headers } = await download({ 'if-none-match': etag });
    expect(status).toBe(304);
    expect(bytes).toHaveLength(0);
    expect(headers.get('etag')).toBe(etag);
    expect((await download({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  test.each(['pending', 'failed'])('of a %s request is 409 without integrity headers', async (status) => {
    if (status === 'failed') await fail();
    for (const answer of [await download(), await download({ 'if-none-match': '*' })]) {
      expect(answer.status).toBe(409);
      expect(answer.body.type).toBe('http://platform.test/problems/state-conflict');
      for (const header of INTEGRITY) expect(answer.headers.has(header)).toBe(false);
    }
  });

  test('a file that is gone is our own fault, and is answered without integrity headers', async () => {
    await seal(database, signing.folder, id);
    await database.query('update signing.signature_request set document_key = $1 where id = $2', [
      'gone.pdf',
      uuidOf('sig', id),
    ]);
    const { status, headers, body } = await download();
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('gone');
    for (const header of INTEGRITY) expect(headers.has(header)).toBe(false);
  });
});

describe('a document with long-term evidence', () => {
  /** As the sealing worker keeps it. */
  async function extended(pdf: Buffer, level: 'B-LT' | 'B-LTA'): Promise<Buffer> {
    const bytes = Buffer.concat([pdf, Buffer.from('% evidence\n')]);
    const other = await testTenant(database);
    const otherId = await signing.signature(other.apiKey, await signing.template(other.apiKey));
    await seal(database, signing.folder, otherId, bytes); // keeps the file
    await database.query(
      `insert into signing.document_revision (kind, document_id, number, tenant_id, level, document_sha256, document_key,
         document_size, kms_key_arn, signature, signature_algorithm)
       select 'signature', $1, 1, $2, $3, document_sha256, document_key, document_size, kms_key_arn, signature, signature_algorithm
         from signing.signature_request where id = $4`,
      [uuidOf('sig', id), tenant.id, level, uuidOf('sig', otherId)],
    );
    await database.query('delete from signing.signature_request where id = $1', [uuidOf('sig', otherId)]);
    return bytes;
  }

  test('shows its level, its revisions and when the next one is due', async () => {
    const evidence = () => signing.call<EvidenceView>(`/v1/signatures/${id}/evidence`, { key: tenant.apiKey });
    expect((await evidence()).status).toBe(409);
    const pdf = await seal(database, signing.folder, id, await embedded(signing));
    expect((await evidence()).body).toEqual({ level: 'B-B', next_at: null, last_setback: null, revisions: [] });
    const due = (level: string | null, at: string) =>
      database.query(
        `insert into signing.document_evidence (kind, document_id, tenant_id, level, due_at, retry_at, last_setback)
         values ('signature', $1, $2, $3, $4, $4, 'evidence')
         on conflict (kind, document_id) do update set level = $3, due_at = $4`,
        [uuidOf('sig', id), tenant.id, level, at],
      );
    await due(null, '2036-01-01T00:00:00Z');
    expect((await evidence()).body).toMatchObject({
      ...{ level: 'B-T', next_at: '2036-01-01T00:00:00.000Z', last_setback: 'evidence', revisions: [] },
    });
    const latest = await extended(pdf, 'B-LT');
    await due('B-LT', 'infinity');
    expect((await evidence()).body).toMatchObject({
      ...{ level: 'B-LT', next_at: null },
      revisions: [{ number: 1, level: 'B-LT', document_sha256: createHash('sha256').update(latest).digest('hex') }],
    });
    const stranger = await testTenant(database);
    const others = await signing.call(`/v1/signatures/${id}/evidence`, { key: stranger.apiKey });
    expect(others.status).toBe(404);
  });

  test('is served as it was sealed, and as its latest revision when asked for, each with what proves it', async () => {
    const pdf = await seal(database, signing.folder, id, await embedded(signing));
    const latest = await extended(pdf, 'B-LT');
    expect((await download()).bytes.equals(pdf)).toBe(true);
    const { bytes, headers } = await signing.call(`/v1/signatures/${id}/document?revision=latest`, {
      key: tenant.apiKey,
    });
    expect(bytes.equals(latest)).toBe(true);
    expect(headers.get('x-document-sha256')).toBe(createHash('sha256').update(latest).digest('hex'));
    expect(verify('sha256', latest, TEST_KEY.pem, Buffer.from(headers.get('x-signature') ?? '', 'hex'))).toBe(true);
    const unknown = await signing.call(`/v1/signatures/${id}/document?revision=first`, { key: tenant.apiKey });
    expect(unknown.status).toBe(400);
    for (const [file, level] of [
      [pdf, 'B-B'],
      [latest, 'B-LT'],
    ] as const) {
      const sha256 = createHash('sha256').update(file).digest('hex');
      const { body } = await verification(file);
      expect(body).toMatchObject({ valid: true, sha256, embedded_signature: { valid: true, level, certified: true } });
      expect((await signing.call(`/v1/verify/by-sha256/${sha256}`)).body).toMatchObject({
        kind: 'signature',
        status: 'signed',
        document_sha256: sha256,
        public_key_url: expect.stringContaining(TEST_KEY.fingerprint),
      });
    }
  });

  test('is valid byte for byte only, and at B-LTA only under a time-stamp that covers the file', async () => {
    const pdf = await seal(database, signing.folder, id, await embedded(signing));
    const latest = await extended(pdf, 'B-LTA');
    expect((await verification(latest)).body).toMatchObject({ valid: true, embedded_signature: { valid: false } });
    const more = Buffer.concat([latest, Buffer.from('%\n')]);
    expect((await verification(more)).body).toMatchObject({ valid: false, embedded_signature: { valid: false } });
  });
});

describe('POST /v1/signatures/{id}/verify', () => {
  test('without a body verifies the document that is kept, and with one those bytes', async () => {
    const pdf = await seal(database, signing.folder, id, await embedded(signing));
    for (const answer of [
      await verification(),
      await verification(pdf),
      await verification(new Blob([pdf]).stream()),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        valid: true,
        sha256: createHash('sha256').update(pdf).digest('hex'),
        kms_key_arn: TEST_KEY.arn,
        signature_algorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
        signed_at: expect.stringMatching(/Z$/),
        embedded_signature: { valid: true, level: 'B-B', certified: true, signer: 'CN=Sello, O=Pruebas, C=CO' },
      });
    }
  });

  test('one changed byte anywhere fails the signature beside the file, and outside its own value the one inside too', async () => {
    const pdf = await seal(database, signing.folder, id, await embedded(signing));
    const open = pdf.lastIndexOf('/Contents <') + '/Contents <'.length;
    const close = pdf.indexOf('>', open);
    const places = [
      0,
      20,
      open - 30,
      open - 1,
      open + 4,
      open + 200,
      open + 1200,
      close - 1,
      close,
      close + 5,
      pdf.length - 3,
    ];
    for (const at of places) {
      const changed = Buffer.from(pdf);
      changed[at] = (changed[at] as number) ^ 1;
      const { body } = await verification(changed);
      expect(body.valid, `byte ${at}`).toBe(false);
      if (at < open || at >= close) expect(body.embedded_signature?.valid ?? false, `byte ${at}`).toBe(false);
    }
  });

  test('a signature inside that holds says nothing about the file that was asked for', async () => {
    await seal(database, signing.folder, id, await embedded(signing));
    const { body } = await verification(await embedded(signing, minimalPdf(5)));
    expect(body).toMatchObject({ valid: false, embedded_signature: { valid: true } });
  });

  test('of several signatures ours is shown, and a file that grew after it is not what was sealed', async () => {
    const twice = await embedded(signing, await embedded(signing, minimalPdf(1), { certify: false }), {
      fieldName: 'second',
    });
    await seal(database, signing.folder, id, twice);
    expect((await verification()).body).toMatchObject({ valid: true, embedded_signature: { valid: true } });
    const grown = Buffer.concat([twice, Buffer.from('% more\n')]);
    expect((await verification(grown)).body).toMatchObject({ valid: false, embedded_signature: { valid: false } });
  });

  test('a file without a signature inside has none to report', async () => {
    await seal(database, signing.folder, id);
    expect((await verification()).body).toMatchObject({ valid: true, embedded_signature: null });
  });

  test('one changed byte, another document or no PDF at all is not valid', async () => {
    const pdf = await seal(database, signing.folder, id);
    const changed = Buffer.from(pdf);
    changed[20] = (changed[20] as number) ^ 1;
    for (const bytes of [changed, minimalPdf(7), Buffer.from('hello')]) {
      const { status, body } = await verification(bytes);
      expect(status).toBe(200);
      expect(body).toMatchObject({ valid: false, sha256: createHash('sha256').update(bytes).digest('hex') });
    }
  });

  test('a stored document that was tampered with is not valid', async () => {
    await seal(database, signing.folder, id);
    const other = await signing.signature(tenant.apiKey, await signing.template(tenant.apiKey));
    await seal(database, signing.folder, other, minimalPdf(9));
    await database.query(
      `update signing.signature_request set document_key =
         (select document_key from signing.signature_request where id = $2) where id = $1`,
      [uuidOf('sig', id), uuidOf('sig', other)],
    );
    expect((await verification()).body).toMatchObject({ valid: false });
  });

  test('bytes over the limit are 413, other types 415, and an unsigned request is 409', async () => {
    expect((await verification()).status).toBe(409);
    await seal(database, signing.folder, id);
    const large = Buffer.alloc(32 * 1024 * 1024 + 1); // a template of 25 MB grows when it is sealed
    expect((await verification(large)).status).toBe(413);
    expect((await verification(new Blob([large]).stream())).status).toBe(413);
    expect((await verification('{}', { 'content-type': 'application/json' })).status).toBe(415);
    await fail();
    expect((await verification()).status).toBe(409);
  });
});

describe('signing keys', () => {
  test('are listed, and each public key is there for anyone', async () => {
    await seal(database, signing.folder, id);
    const { status, body } = await signing.call<SigningKeyList>('/v1/signing-keys', { key: tenant.apiKey });
    expect(status).toBe(200);
    const key = body.data.find((one) => one.fingerprint === TEST_KEY.fingerprint);
    expect(key).toEqual({
      key_arn: TEST_KEY.arn,
      fingerprint: TEST_KEY.fingerprint,
      algorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
      public_key_pem: TEST_KEY.pem,
      certificate_pem: new X509Certificate(TEST_KEY.certificateDer).toString(),
      public_key_url: `http://signing.test/keys/${TEST_KEY.fingerprint}.pem`,
      certificate_url: `http://signing.test/keys/${TEST_KEY.fingerprint}.crt`,
      created_at: expect.stringMatching(/Z$/),
      status: 'active',
      owner: 'platform',
    });

    const pem = await signing.call<string>(`/keys/${TEST_KEY.fingerprint}.pem`);
    expect(pem.status).toBe(200);
    expect(pem.headers.get('content-type')).toMatch(/^application\/x-pem-file/);
    expect(pem.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(createPublicKey(pem.bytes).asymmetricKeyType).toBe('rsa');

    const certificate = await signing.call<string>(`/keys/${TEST_KEY.fingerprint}.crt`);
    expect(certificate.status).toBe(200);
    expect(certificate.headers.get('content-type')).toMatch(/^application\/x-pem-file/);
    expect(certificate.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(new X509Certificate(certificate.bytes).raw.equals(TEST_KEY.certificateDer)).toBe(true);
  });

  test('a key without a certificate is listed without, and its certificate is 404', async () => {
    const fingerprint = createHash('sha256').update(id).digest();
    await database.query(
      `insert into signing.signing_key (fingerprint, key_arn, algorithm, public_key_pem)
       values ($1, 'arn:none', 'RSASSA_PKCS1_V1_5_SHA_256', $2)`,
      [fingerprint, TEST_KEY.pem],
    );
    const { body } = await signing.call<SigningKeyList>('/v1/signing-keys', { key: tenant.apiKey });
    const key = body.data.find((one) => one.fingerprint === fingerprint.toString('hex'));
    expect(key).toMatchObject({ certificate_pem: null, certificate_url: null });
    expect((await signing.call(`/keys/${fingerprint.toString('hex')}.crt`)).status).toBe(404);
  });

  test.each([`${'0'.repeat(64)}.pem`, 'x.pem', `${'0'.repeat(64)}.crt`, 'x.crt', TEST_KEY.fingerprint])(
    '/keys/%s is 404',
    async (name) => {
      const { status, body } = await signing.call(`/keys/${name}`);
      expect(status).toBe(404);
      expect(body.type).toBe('http://platform.test/problems/not-found');
    },
  );

  test('the list needs an API key', async () => {
    expect((await signing.call('/v1/signing-keys')).status).toBe(401);
  });
});
