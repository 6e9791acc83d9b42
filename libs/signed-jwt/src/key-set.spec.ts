import type { JWK } from 'jose';
import { describe, expect, it } from 'vitest';
import { es256Keys } from './es256-keys.fixture.ts';
import { localEs256Signer } from './jwt-signer.ts';
import { keyFinderOf } from './key-set.ts';
import { verifyJwt } from './verify-jwt.ts';

const [one, other] = [es256Keys(), es256Keys()];
const named = (jwk: JWK, kid: string, more: object = {}): JWK => ({ ...jwk, kid, ...more });
const tokenOf = (kid?: string) => localEs256Signer(one.privateKey, { kid })('example+jwt', { sub: 'a' });
const verify = async (token: string, keys: JWK[]) =>
  verifyJwt(token, { typ: 'example+jwt', findKey: keyFinderOf({ keys }) });

describe('a key set', () => {
  it('has the key that a token names, beside others', async () => {
    const keys = [named(other.jwk, 'next'), named(one.jwk, 'current', { use: 'sig', alg: 'ES256' })];
    expect((await verify(await tokenOf('current'), keys)).payload).toEqual({ sub: 'a' });
    await expect(verify(await tokenOf('next'), keys)).rejects.toMatchObject({ reason: 'signature' });
  });

  it.each([
    ['names none', undefined, {}],
    ['names one that is not there', 'retired', {}],
    ['names one for another algorithm', 'current', { alg: 'ES384' }],
    ['names one for encryption', 'current', { use: 'enc' }],
  ])('has no key for a token that %s', async (_, kid, more) => {
    const verified = verify(await tokenOf(kid), [named(one.jwk, 'current', more)]);
    await expect(verified).rejects.toMatchObject({ reason: 'key' });
  });

  it('is refused as a whole when it holds a secret, or keys that cannot be told apart', () => {
    const wrong: [JWK[], string][] = [
      [[named(one.privateJwk, 'current')], 'holds a secret'],
      [[{ kty: 'oct', k: 'c2VjcmV0', kid: 'current' }], 'holds a secret'],
      [[one.jwk], 'has no kid'],
      [[named(one.jwk, 'current'), named(other.jwk, 'current')], 'have one kid'],
    ];
    for (const [keys, message] of wrong) expect(() => keyFinderOf({ keys })).toThrow(message);
  });
});
