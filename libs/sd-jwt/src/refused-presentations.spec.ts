import { createHash } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { es256Keys } from '../../../libs/signed-jwt/src/es256-keys.fixture.ts';
import { forgedJwt, hmacJwt, unsignedJwt } from '../../../libs/signed-jwt/src/forged-jwt.fixture.ts';
import { NONCE, NOW, Parties, VERIFIER } from './credentials.fixture.ts';
import { verifyCredential } from './verify-presentation.ts';

const parties = new Parties();
const credential = await parties.issue();
const presentation = await parties.present(credential, { reveal: [['family_name'], ['birthdate']] });
const [issuerJwt, ...rest] = presentation.split('~') as [string, ...string[]];
const [disclosures, keyBinding] = [rest.slice(0, -1), rest.at(-1) as string];

const HEADER = { alg: 'ES256', typ: 'dc+sd-jwt' };
const KB_HEADER = { alg: 'ES256', typ: 'kb+jwt' };
const payload = decodeJwt(issuerJwt);

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
const join = (...parts: string[]) => parts.join('~');

/** A presentation that the holder signs as it should be, whatever it is of. */
function bound(withTilde: string, changes: object = {}, header: object = KB_HEADER, keys = parties.holder): string {
  const claims = { iat: NOW, aud: VERIFIER, nonce: NONCE, sd_hash: sha256(withTilde), ...changes };
  return withTilde + forgedJwt(header, claims, keys.privateKey);
}

/** A presentation of a credential that the issuer signed with this payload and these disclosures. */
const issuedWith = (changes: object, given: unknown[] = [], header: object = HEADER) =>
  bound(join(forgedJwt(header, { ...payload, ...changes }, parties.issuer.privateKey), ...given.map(encode), ''));

describe('the negative vectors of the notes: a presentation is refused', () => {
  it('with the nonce of another request', async () => {
    expect(await parties.reasonFor(presentation, { nonce: 'another' })).toBe('nonce');
    for (const nonce of [undefined, null, [NONCE], `${NONCE} `])
      expect(await parties.reasonFor(bound(join(issuerJwt, ''), { nonce }))).toBe('nonce');
  });

  it('without a key binding', async () => {
    expect(await parties.reasonFor(join(issuerJwt, ...disclosures, ''))).toBe('key_binding_missing');
    expect(await parties.reasonFor(credential)).toBe('key_binding_missing');
  });

  it('with a disclosure that was changed', async () => {
    const [salt, name] = JSON.parse(Buffer.from(disclosures[0] as string, 'base64url').toString()) as string[];
    const changed = encode([salt, name, 'Peralta']);
    const withTilde = join(issuerJwt, changed, '');
    expect(await parties.reasonFor(bound(withTilde))).toBe('unreferenced_disclosure');
    expect(await parties.reasonFor(withTilde + keyBinding)).toBe('unreferenced_disclosure');
  });

  it('with a disclosure that was taken away after the holder signed', async () => {
    expect(await parties.reasonFor(join(issuerJwt, disclosures[0] as string, keyBinding))).toBe('sd_hash');
  });

  it('with disclosures in another order than the holder signed', async () => {
    expect(await parties.reasonFor(join(issuerJwt, ...disclosures.toReversed(), keyBinding))).toBe('sd_hash');
  });

  it('with the key binding of another credential of the same holder', async () => {
    const other = (await parties.present(await parties.issue())).split('~').at(-1) as string;
    expect(await parties.reasonFor(join(issuerJwt, ...disclosures, other))).toBe('sd_hash');
  });

  it('signed by a key that is not the holder’s', async () => {
    expect(await parties.reasonFor(bound(join(issuerJwt, ''), {}, KB_HEADER, es256Keys()))).toBe('signature');
    expect(await parties.reasonFor(bound(join(issuerJwt, ''), {}, KB_HEADER, parties.issuer))).toBe('signature');
  });

  it('with alg none, of the issuer or of the holder', async () => {
    const unsigned = unsignedJwt({ ...HEADER, alg: 'none' }, payload);
    expect(await parties.reasonFor(bound(join(unsigned, ...disclosures, '')))).toBe('algorithm');
    const withTilde = join(issuerJwt, '');
    const claims = { iat: NOW, aud: VERIFIER, nonce: NONCE, sd_hash: sha256(withTilde) };
    expect(await parties.reasonFor(withTilde + unsignedJwt({ ...KB_HEADER, alg: 'none' }, claims))).toBe('algorithm');
  });

  it('with HS256 and a public key as the secret, of the issuer or of the holder', async () => {
    const forged = hmacJwt({ ...HEADER, alg: 'HS256' }, payload, parties.issuer.publicKey);
    expect(await parties.reasonFor(bound(join(forged, '')))).toBe('algorithm');
    const withTilde = join(issuerJwt, '');
    const claims = { iat: NOW, aud: VERIFIER, nonce: NONCE, sd_hash: sha256(withTilde) };
    const binding = hmacJwt({ ...KB_HEADER, alg: 'HS256' }, claims, parties.holder.publicKey);
    expect(await parties.reasonFor(withTilde + binding)).toBe('algorithm');
  });

  it('with a key binding of 30 days ago', async () => {
    expect(await parties.reasonFor(await parties.present(credential, { nowS: NOW - 30 * 86_400 }))).toBe(
      'key_binding_age',
    );
    for (const iat of [undefined, null, String(NOW)])
      expect(await parties.reasonFor(bound(join(issuerJwt, ''), { iat }))).not.toBe('accepted');
  });

  it('for another audience, or for several', async () => {
    for (const aud of ['https://other.example', `${VERIFIER}/`, [VERIFIER], [VERIFIER, 'x'], undefined])
      expect(await parties.reasonFor(bound(join(issuerJwt, ''), { aud }))).toBe('audience');
  });

  it('whose issuer or holder names a key or an extension in the header', async () => {
    const stranger = es256Keys();
    for (const parameter of [
      { jwk: stranger.jwk },
      { jku: 'https://x.example' },
      { x5u: 'https://x.example' },
      { crit: ['exp'] },
    ]) {
      expect(await parties.reasonFor(issuedWith({}, [], { ...HEADER, ...parameter }))).toBe('header');
      expect(await parties.reasonFor(bound(join(issuerJwt, ''), {}, { ...KB_HEADER, ...parameter }))).toBe('header');
    }
  });
});

it('a presentation with one character changed, removed or added is refused, wherever it is', async () => {
  for (let at = 0; at < presentation.length; at += 23) {
    const [before, character, after] = [presentation.slice(0, at), presentation[at], presentation.slice(at + 1)];
    const changed = character === 'A' ? 'B' : 'A';
    for (const text of [before + changed + after, before + after, `${before}${character}A${after}`])
      expect(await parties.reasonFor(text), `at ${at}`).toMatch(/^(?!accepted)[a-z_]+$/); // a reason, and no other error
  }
});

describe('tokens of other classes', () => {
  const CLASSES = ['at+jwt', 'JWT', 'wallet-session+jwt', 'dc+sd-jwt', 'kb+jwt', 'statuslist+jwt'];

  it.each(CLASSES.filter((typ) => typ !== 'dc+sd-jwt'))('%s is no credential', async (typ) => {
    expect(await parties.reasonFor(issuedWith({}, [], { ...HEADER, typ }))).toBe('type');
  });

  it.each(CLASSES.filter((typ) => typ !== 'kb+jwt'))('%s is no key binding', async (typ) => {
    expect(await parties.reasonFor(bound(join(issuerJwt, ''), {}, { ...KB_HEADER, typ }))).toBe('type');
  });

  it('a presentation is no credential to its holder', async () => {
    await expect(verifyCredential(presentation, parties.expected())).rejects.toMatchObject({
      reason: 'key_binding_unexpected',
    });
  });
});

describe('a credential is refused', () => {
  it('of an issuer that is not trusted, or signed by another key', async () => {
    expect(await parties.reasonFor(issuedWith({ iss: 'https://other.example' }))).toBe('key');
    const forged = forgedJwt(HEADER, payload, parties.holder.privateKey);
    expect(await parties.reasonFor(bound(join(forged, '')))).toBe('signature');
  });

  it('of a type that is not accepted', async () => {
    for (const vct of ['https://wallet.example/credentials/other/1', undefined, 1])
      expect(await parties.reasonFor(issuedWith({ vct }))).toBe('credential_type');
  });

  it('that has expired, is not valid yet, or is of the future', async () => {
    expect(await parties.reasonFor(issuedWith({ exp: NOW }))).toBe('expired');
    expect(await parties.reasonFor(issuedWith({ nbf: NOW + 61 }))).toBe('not_yet_valid');
    expect(await parties.reasonFor(issuedWith({ iat: NOW + 61 }))).toBe('issued_at');
  });

  it('that is bound to no key, to a private one, or to one that is not on P-256', async () => {
    const { jwk, privateJwk } = parties.holder;
    const others = [
      undefined,
      {},
      { kid: 'a' },
      { jwk: privateJwk },
      { jwk: { ...jwk, crv: 'secp256k1' } },
      { jwk: { ...jwk, x: 'AA' } },
    ];
    for (const cnf of others) expect(await parties.reasonFor(issuedWith({ cnf }))).toBe('holder_key');
    // 43 characters that are no point of the curve:
    const cnf = { jwk: { ...jwk, x: 'A'.repeat(43) } };
    expect(await parties.reasonFor(issuedWith({ cnf }))).toBe('key');
  });

  it('whose status is of a kind that is not known', async () => {
    for (const status of [
      {},
      'valid',
      { status_list: { uri: 'https://x.example' } },
      { status_list: { uri: 'u', idx: -1 } },
    ])
      expect(await parties.reasonFor(issuedWith({ status }))).toBe('status');
  });

  it('with another hash algorithm than SHA-256', async () => {
    for (const algorithm of ['sha-512', 'md5', 'SHA-256', null])
      expect(await parties.reasonFor(issuedWith({ _sd_alg: algorithm }))).toBe('hash_algorithm');
    expect(await parties.reasonFor(issuedWith({ a: { _sd_alg: 'sha-256' } }))).toBe('reserved_name');
  });
});

describe('disclosures', () => {
  const NAME = ['salt', 'middle_name', 'Andrea'];
  const ELEMENT = ['salt', 'CO'];
  const digestOf = (content: unknown) => sha256(encode(content));
  const sd = (...contents: unknown[]) => ({ _sd: contents.map(digestOf) });

  it('in their places are accepted', async () => {
    expect(await parties.reasonFor(issuedWith(sd(NAME), [NAME]))).toBe('accepted');
    expect(await parties.reasonFor(issuedWith({ a: [{ '...': digestOf(ELEMENT) }] }, [ELEMENT]))).toBe('accepted');
  });

  it('that belong to no digest are refused', async () => {
    expect(await parties.reasonFor(issuedWith(sd(), [NAME]))).toBe('unreferenced_disclosure');
    const inner = ['salt', 'inner', 1];
    const outer = ['salt', 'outer', sd(inner)];
    expect(await parties.reasonFor(issuedWith(sd(outer), [outer, inner]))).toBe('accepted');
    expect(await parties.reasonFor(issuedWith(sd(outer), [inner]))).toBe('unreferenced_disclosure');
  });

  it('that are there twice, or whose digest is, are refused', async () => {
    expect(await parties.reasonFor(issuedWith(sd(NAME), [NAME, NAME]))).toBe('duplicate_digest');
    expect(await parties.reasonFor(issuedWith(sd(NAME, NAME), [NAME]))).toBe('duplicate_digest');
    expect(await parties.reasonFor(issuedWith({ ...sd(NAME), a: sd(NAME) }, []))).toBe('duplicate_digest');
    const outer = ['salt', 'outer', sd(NAME)];
    expect(await parties.reasonFor(issuedWith(sd(NAME, outer), [NAME, outer]))).toBe('duplicate_digest');
  });

  it('whose claim is there already are refused', async () => {
    expect(await parties.reasonFor(issuedWith({ ...sd(NAME), middle_name: 'Ana' }, [NAME]))).toBe('disclosure');
    const again = ['other salt', 'middle_name', 'Ana'];
    expect(await parties.reasonFor(issuedWith(sd(NAME, again), [NAME, again]))).toBe('disclosure');
  });

  it('that would replace what says whose the credential is, and until when, are refused', async () => {
    for (const name of ['iss', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'status']) {
      const control = ['salt', name, payload[name] ?? NOW];
      const reason = await parties.reasonFor(issuedWith({ ...sd(control), [name]: undefined }, [control]));
      expect(reason, name).toBe(name === 'iss' ? 'key' : 'reserved_name');
    }
    const nested = ['salt', 'exp', 1];
    expect(await parties.reasonFor(issuedWith({ a: sd(nested) }, [nested]))).toBe('accepted');
  });

  it.each(['_sd', '...', '_sd_alg', '__proto__'])('named %s are refused', async (name) => {
    const reserved = ['salt', name, 1];
    expect(await parties.reasonFor(issuedWith(sd(reserved), [reserved]))).toBe('reserved_name');
  });

  it('of an element in the place of a claim, and the other way round, are refused', async () => {
    expect(await parties.reasonFor(issuedWith(sd(ELEMENT), [ELEMENT]))).toBe('disclosure');
    expect(await parties.reasonFor(issuedWith({ a: [{ '...': digestOf(NAME) }] }, [NAME]))).toBe('disclosure');
  });

  it.each([[[]], [['salt']], [['salt', 1, 2]], [['salt', 'a', 1, 2]], [[1, 'a', 1]], [{}], ['salt']])(
    'that are %j are refused',
    async (content) => {
      expect(await parties.reasonFor(issuedWith(sd(content), [content]))).toBe('disclosure');
    },
  );

  it('are refused where digests are not as they should be', async () => {
    for (const changes of [{ _sd: 'a' }, { _sd: [1] }, { a: [{ '...': 1 }] }, { a: [{ '...': 'd', b: 1 }] }])
      expect(await parties.reasonFor(issuedWith(changes))).toBe('malformed');
    expect(await parties.reasonFor(issuedWith({ a: { '...': 'd' } }))).toBe('reserved_name');
  });

  it('beyond 64, beyond 32 KB, and nested without end, are refused', async () => {
    const many = Array.from({ length: 65 }, (_, nth) => [`salt ${nth}`, `c${nth}`, 1]);
    expect(await parties.reasonFor(issuedWith(sd(...many), many))).toBe('too_many_disclosures');
    expect(await parties.reasonFor(issuedWith(sd(...many.slice(1)), many.slice(1)))).toBe('accepted');
    const large = ['salt', 'a', 'x'.repeat(32_768)];
    expect(await parties.reasonFor(issuedWith(sd(large), [large]))).toBe('too_large');
    let content: unknown[] = ['salt', 'c', 1];
    const chain = [content];
    for (let nth = 0; nth < 20; nth++) chain.unshift((content = ['salt', 'c', sd(content)]));
    expect(await parties.reasonFor(issuedWith(sd(chain[0]), chain))).toBe('malformed');
  });

  it('are refused where a part is empty or not ASCII', async () => {
    for (const text of ['', '~', 'a~b', issuerJwt, join(issuerJwt, '', keyBinding), `${issuerJwt}~ñ~${keyBinding}`])
      expect(await parties.reasonFor(text)).toMatch(/^(malformed|key_binding_missing)$/);
  });
});
