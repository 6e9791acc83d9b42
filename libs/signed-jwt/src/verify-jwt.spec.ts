import { generateKeyPairSync } from 'node:crypto';
import { SignJWT, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { es256Keys } from './es256-keys.fixture.ts';
import { forgedJwt, hmacJwt, unsignedJwt } from './forged-jwt.fixture.ts';
import { es256Signer, localEs256Signer } from './jwt-signer.ts';
import type { ExpectedJwt } from './verify-jwt.ts';
import { verifyJwt } from './verify-jwt.ts';

const keys = es256Keys();
const HEADER = { alg: 'ES256', typ: 'example+jwt' };
const PAYLOAD = { sub: 'a' };

const verify = (token: string, changes: Partial<ExpectedJwt> = {}) =>
  verifyJwt(token, { typ: 'example+jwt', findKey: () => keys.publicKey, ...changes });
const reasonOf = (verified: Promise<unknown>) =>
  verified.then(
    () => 'accepted',
    (error: { reason?: string }) => error.reason,
  );
const reasonFor = (token: string, changes?: Partial<ExpectedJwt>) => reasonOf(verify(token, changes));

describe('a signed token', () => {
  it('is accepted with the key, class and algorithm that are expected, and by jose', async () => {
    const token = await localEs256Signer(keys.privateKey, { kid: 'key-1' })('example+jwt', PAYLOAD);
    expect(await verify(token)).toMatchObject({ header: { kid: 'key-1', alg: 'ES256' }, payload: PAYLOAD });
    const { payload } = await jwtVerify(token, keys.publicKey, { typ: 'example+jwt', algorithms: ['ES256'] });
    expect(payload).toEqual(PAYLOAD);
  });

  it('of jose is accepted', async () => {
    const token = await new SignJWT(PAYLOAD).setProtectedHeader(HEADER).sign(keys.privateKey);
    expect((await verify(token)).payload).toEqual(PAYLOAD);
  });

  it('may name a certificate chain, which only the finder of keys may use', async () => {
    const token = forgedJwt({ ...HEADER, x5c: ['MIIB'] }, PAYLOAD, keys.privateKey);
    let seen: unknown;
    await verify(token, {
      findKey: ({ header }) => {
        seen = header.all.x5c;
        return keys.jwk;
      },
    });
    expect(seen).toEqual(['MIIB']);
  });
});

describe('a token is refused', () => {
  it('with alg none', async () => {
    expect(await reasonFor(unsignedJwt({ ...HEADER, alg: 'none' }, PAYLOAD))).toBe('algorithm');
  });

  it('with HS256 and the public key as the secret', async () => {
    expect(await reasonFor(hmacJwt({ ...HEADER, alg: 'HS256' }, PAYLOAD, keys.publicKey))).toBe('algorithm');
  });

  it.each([
    ['jwk', keys.jwk],
    ['jku', 'https://example.com/keys'],
    ['x5u', 'https://example.com/chain'],
    ['crit', ['exp']],
    ['b64', false],
    ['zip', 'DEF'],
  ])('with %s in the header', async (name, value) => {
    expect(await reasonFor(forgedJwt({ ...HEADER, [name]: value }, PAYLOAD, keys.privateKey))).toBe('header');
  });

  it('of another class', async () => {
    for (const typ of ['JWT', 'at+jwt', 'application/example+jwt', 'EXAMPLE+JWT'])
      expect(await reasonFor(forgedJwt({ ...HEADER, typ }, PAYLOAD, keys.privateKey))).toBe('type');
    expect(await reasonFor(forgedJwt({ alg: 'ES256' }, PAYLOAD, keys.privateKey))).toBe('type');
  });

  it('with the signature of another key', async () => {
    expect(await reasonFor(forgedJwt(HEADER, PAYLOAD, es256Keys().privateKey))).toBe('signature');
  });

  it('with another payload than the one that was signed', async () => {
    const [header, , signature] = forgedJwt(HEADER, PAYLOAD, keys.privateKey).split('.');
    const other = Buffer.from('{"sub":"b"}').toString('base64url');
    expect(await reasonFor([header, other, signature].join('.'))).toBe('signature');
  });

  it('when no key for it is known, or one that cannot belong to its algorithm', async () => {
    const token = forgedJwt(HEADER, PAYLOAD, keys.privateKey);
    expect(await reasonFor(token, { findKey: () => null })).toBe('key');
    const ed25519 = generateKeyPairSync('ed25519').publicKey;
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey;
    for (const key of [ed25519, p384]) expect(await reasonFor(token, { findKey: () => key })).toBe('key');
  });

  it('when it is spelled in another way than base64url without padding', async () => {
    const token = forgedJwt(HEADER, PAYLOAD, keys.privateKey);
    const [header, payload, signature] = token.split('.') as [string, string, string];
    // The last character of 64 bytes has four bits to spare: another one that decodes to the same bytes.
    const last = String.fromCharCode(signature.charCodeAt(85) + 1);
    const respelled = [
      `${token}=`,
      `${token}\n`,
      `${header}. ${payload}.${signature}`,
      `${token}.`,
      `${header}.${payload}`,
    ];
    for (const each of [...respelled, `${header}.${payload}.${signature.slice(0, 85)}${last}`])
      expect(await reasonFor(each)).toBe('malformed');
  });

  it('when a part is no JSON object, no UTF-8, too deep, or would change a prototype', async () => {
    const signed = (payload: Buffer) =>
      [Buffer.from(JSON.stringify(HEADER)).toString('base64url'), payload.toString('base64url'), 'AAAA'].join('.');
    const payloads = ['[]', 'null', '"a"', '{', `{"a":${'['.repeat(20)}${']'.repeat(20)}}`, '{"a":{"__proto__":1}}'];
    for (const payload of [...payloads.map((each) => Buffer.from(each)), Buffer.from('{"a":"\xff"}', 'latin1')])
      expect(await reasonFor(signed(payload))).toBe('malformed');
  });

  it('when it is larger than allowed', async () => {
    const token = forgedJwt(HEADER, { a: 'x'.repeat(1_000) }, keys.privateKey);
    expect(await reasonFor(token, { maxBytes: 1_000 })).toBe('too_large');
  });
});

describe('a signer', () => {
  it('refuses keys that are not for ES256, and signatures of another form', async () => {
    expect(() => localEs256Signer(keys.publicKey)).toThrow('private key on P-256');
    expect(() => localEs256Signer(generateKeyPairSync('ed25519').privateKey)).toThrow('private key on P-256');
    const der = es256Signer({ sign: async () => Buffer.alloc(71) });
    await expect(der('example+jwt', PAYLOAD)).rejects.toThrow('64 bytes');
  });
});
