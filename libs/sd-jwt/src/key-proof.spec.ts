import { es256Keys } from '../../../libs/signed-jwt/src/es256-keys.fixture.ts';
import { forgedJwt, hmacJwt, unsignedJwt } from '../../../libs/signed-jwt/src/forged-jwt.fixture.ts';
import { describe, expect, it } from 'vitest';
import { ISSUER, NONCE, NOW } from './credentials.fixture.ts';
import { verifyKeyProof } from './key-proof.ts';

const holder = es256Keys();
const { kty, crv, x, y } = holder.jwk;
const jwk = { kty, crv, x, y };
const HEADER = { alg: 'ES256', typ: 'openid4vci-proof+jwt', jwk };
const PAYLOAD = { aud: ISSUER, iat: NOW, nonce: NONCE };

const proof = (header: object = {}, payload: object = {}, key = holder.privateKey) =>
  forgedJwt({ ...HEADER, ...header }, { ...PAYLOAD, ...payload }, key);
const verify = (text: string) => verifyKeyProof(text, { issuer: ISSUER, nowS: NOW });

describe('a proof of possession', () => {
  it('gives the key that signed it, and the nonce', async () => {
    expect(await verify(proof())).toEqual({ key: jwk, nonce: NONCE });
  });

  it.each([
    ['signature', 'another key', proof({}, {}, es256Keys().privateKey)],
    ['type', 'another class', proof({ typ: 'kb+jwt' })],
    ['algorithm', 'no signature', unsignedJwt({ ...HEADER, alg: 'none' }, PAYLOAD)],
    ['algorithm', 'a shared secret', hmacJwt({ ...HEADER, alg: 'HS256' }, PAYLOAD, holder.publicKey)],
    ['header', 'no key', proof({ jwk: undefined })],
    ['header', 'two keys', proof({ kid: 'x' })],
    ['header', 'a key elsewhere', proof({ jku: 'https://evil.example' })],
    ['holder_key', 'a private key', proof({ jwk: holder.privateJwk })],
    ['holder_key', 'a key on another curve', proof({ jwk: { ...jwk, crv: 'P-384' } })],
    ['audience', 'another issuer', proof({}, { aud: 'https://other.example' })],
    ['audience', 'several issuers', proof({}, { aud: [ISSUER] })],
    ['key_binding_age', 'an old time', proof({}, { iat: NOW - 301 })],
    ['key_binding_age', 'a time to come', proof({}, { iat: NOW + 301 })],
    ['key_binding_age', 'no time', proof({}, { iat: undefined })],
    ['nonce', 'no nonce', proof({}, { nonce: undefined })],
    ['malformed', 'what is no token', 'x'],
    ['too_large', 'too much', proof({}, { iss: 'x'.repeat(4_096) })],
  ])('is refused for its %s: %s', async (reason, _, text) => {
    await expect(verify(text)).rejects.toMatchObject({ reason });
  });
});
