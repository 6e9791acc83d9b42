/// <reference types="node" />
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { linksHold } from './chain.ts';
import { checkFile } from './check-file.ts';
import { fromHex, hex, sha256Hex } from './digest.ts';
import { derOf, signatureHolds } from './published-key.ts';
import { sha256, verifyRsaDigest } from './without-webcrypto.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 3072 });
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const spki = derOf(pem);
const fingerprint = createHash('sha256').update(spki).digest('hex');
const bytes = new Uint8Array(randomBytes(200_001));
const signatureHex = sign('RSA-SHA256', bytes, privateKey).toString('hex');
const changed = Uint8Array.from(bytes, (byte, index) => (index === 100_000 ? byte ^ 1 : byte));

afterEach(() => vi.unstubAllGlobals());

describe('SHA-256 without WebCrypto', () => {
  it('is what node says, at every length around a block', () => {
    for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 127, 128, 1_000]) {
      const input = new Uint8Array(randomBytes(length));
      expect(hex(sha256(input))).toBe(createHash('sha256').update(input).digest('hex'));
    }
  });

  it('does not depend on where the bytes lie in their buffer', () => {
    const within = new Uint8Array(randomBytes(500)).subarray(3, 203);
    expect(hex(sha256(within))).toBe(createHash('sha256').update(within).digest('hex'));
  });
});

describe.each(['with WebCrypto', 'without WebCrypto'])('a detached signature, %s', (browser) => {
  const given = () => {
    if (browser === 'without WebCrypto') vi.stubGlobal('crypto', {});
  };

  it('holds over the bytes that were signed, and over no others', async () => {
    given();
    expect(await sha256Hex(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(await signatureHolds(spki, signatureHex, bytes)).toBe(true);
    expect(await signatureHolds(spki, signatureHex, changed)).toBe(false);
  });

  it('does not hold with another key, or when it was changed, cut or padded', async () => {
    given();
    const other = generateKeyPairSync('rsa', { modulusLength: 3072 }).publicKey;
    const otherSpki = new Uint8Array(other.export({ type: 'spki', format: 'der' }));
    const tampered = `${signatureHex.slice(0, -2)}${signatureHex.endsWith('00') ? '01' : '00'}`;
    expect(await signatureHolds(otherSpki, signatureHex, bytes)).toBe(false);
    for (const wrong of [tampered, signatureHex.slice(2), `00${signatureHex}`, '', 'ff'.repeat(384)])
      expect(await signatureHolds(spki, wrong, bytes)).toBe(false);
  });
});

describe('verifyRsaDigest', () => {
  it('refuses bytes that are no RSA key', () => {
    expect(() => verifyRsaDigest(Uint8Array.of(0x30, 0x82, 0xff, 0xff), fromHex(signatureHex), sha256(bytes))).toThrow(
      TypeError,
    );
  });
});

describe('linksHold', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];
  const trail = [
    { seq: 1, hash: a, prev_hash: '0'.repeat(64) },
    { seq: 2, hash: b, prev_hash: a },
    { seq: 3, hash: c, prev_hash: b },
  ];

  it('follows the links from the first event to the head', () => {
    expect(linksHold(trail, c)).toBe(true);
  });

  it('detects a missing, a swapped and a cut event', () => {
    const [first, second, third] = trail as [(typeof trail)[0], (typeof trail)[0], (typeof trail)[0]];
    expect(linksHold([first, third], c)).toBe(false);
    expect(linksHold([second, first, third], c)).toBe(false);
    expect(linksHold([first, second], c)).toBe(false);
    expect(linksHold([], null)).toBe(false);
  });
});

describe('checkFile', () => {
  const digest = createHash('sha256').update(bytes).digest('hex');
  const proof = {
    document_sha256: digest,
    kms_key_arn: 'arn',
    signature: signatureHex,
    signature_algorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
    signed_at: '2026-11-21T15:04:05.678Z',
    public_key_url: `https://elsewhere.example/keys/${fingerprint}.pem`,
    certificate_url: null,
  };
  const envelope = {
    ...proof,
    public_id: 'x',
    status: 'sealed',
    tenant: { display_name: 'T' },
    base_document_sha256: createHash('sha256').update('base').digest('hex'),
    signers: [],
    trail: [],
    trail_head: null,
  };

  /** What the origin answers, by path; records what is asked. */
  const origin = (answers: Record<string, [number, string]>) => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', (path: string) => {
      asked.push(path);
      const [status, body] = answers[path] ?? [404, '{}'];
      return Promise.resolve(new Response(body, { status }));
    });
    return asked;
  };

  it('finds the sealed file authentic with the key from this origin, and sends none of it away', async () => {
    const asked = origin({ [`/keys/${fingerprint}.pem`]: [200, pem] });
    expect(await checkFile(new Blob([bytes]), envelope)).toMatchObject({ outcome: 'authentic', sha256: digest });
    expect(asked).toEqual([`/keys/${fingerprint}.pem`]);
  });

  it('knows the PDF before the signatures, and nothing else', async () => {
    origin({});
    expect(await checkFile(new Blob(['base']), envelope)).toMatchObject({ outcome: 'unsigned' });
    expect(await checkFile(new Blob([changed]), envelope)).toMatchObject({ outcome: 'unknown' });
  });

  it('does not believe a hash whose signature does not hold, or that no published key signed', async () => {
    origin({ [`/keys/${fingerprint}.pem`]: [200, pem] });
    const forged = { ...envelope, signature: '00'.repeat(384) };
    expect(await checkFile(new Blob([bytes]), forged)).toMatchObject({ outcome: 'unproven' });
    const keyless = { ...envelope, public_key_url: null };
    expect(await checkFile(new Blob([bytes]), keyless)).toMatchObject({ outcome: 'unproven' });
  });

  it('does not take another key for the one that the address names', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
    origin({ [`/keys/${fingerprint}.pem`]: [200, other.export({ type: 'spki', format: 'pem' }).toString()] });
    expect(await checkFile(new Blob([bytes]), envelope)).toEqual({ outcome: 'no_answer' });
  });

  it('finds a document of any kind by its hash alone', async () => {
    origin({
      [`/v1/verify/by-sha256/${digest}`]: [200, JSON.stringify({ ...proof, kind: 'signature', public_id: null })],
      [`/keys/${fingerprint}.pem`]: [200, pem],
    });
    expect(await checkFile(new Blob([bytes]), null)).toMatchObject({
      outcome: 'authentic',
      document: { kind: 'signature' },
    });
    expect(await checkFile(new Blob([changed]), null)).toMatchObject({ outcome: 'unknown' });
  });

  it('knows a later revision of the envelope, and another envelope by its own name', async () => {
    const sealed = { ...envelope, document_sha256: 'a'.repeat(64) };
    const answer = (public_id: string) => JSON.stringify({ ...proof, kind: 'envelope', public_id });
    const byHash = `/v1/verify/by-sha256/${digest}`;
    origin({ [byHash]: [200, answer('x')], [`/keys/${fingerprint}.pem`]: [200, pem] });
    expect(await checkFile(new Blob([bytes]), sealed)).toMatchObject({ outcome: 'authentic', sha256: digest });
    origin({ [byHash]: [200, answer('y')] });
    expect(await checkFile(new Blob([bytes]), sealed)).toMatchObject({ outcome: 'other', publicId: 'y' });
  });

  it('says when the service could not be asked', async () => {
    origin({ [`/v1/verify/by-sha256/${digest}`]: [503, '{}'] });
    expect(await checkFile(new Blob([bytes]), null)).toEqual({ outcome: 'no_answer' });
  });
});
