import type { Json } from '@constancia/kernel';
import type { JsonObject } from '@constancia/signed-jwt';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import type { ClaimPath } from './claim-paths.ts';
import { CLAIMS, DISCLOSABLE, ISSUER, NONCE, NOW, Parties, VCT, VERIFIER } from './credentials.fixture.ts';
import { KEY_BINDING_BYTES, MAX_CREDENTIAL_BYTES } from './limits.ts';
import { disclosableClaims } from './present-credential.ts';
import { verifyCredential, verifyPresentation } from './verify-presentation.ts';

const parties = new Parties();
const credential = await parties.issue({ status: { uri: `${ISSUER}/v1/wallet/status-list/1`, idx: 4_711 } });
const presentation = await parties.present(credential);

/** A value inside of so many objects, each the claim `a` of the one around it. */
const nested = (value: Json, levels: number): Json => (levels === 0 ? value : { a: nested(value, levels - 1) });
const innermost = (levels: number): ClaimPath => Array.from({ length: levels }, () => 'a');
const pathsTo = (path: ClaimPath): ClaimPath[] => path.map((_, at) => path.slice(0, at + 1));

describe('a credential', () => {
  it('shows nothing of its disclosable claims by itself', () => {
    const [issuerJwt] = credential.split('~') as [string];
    const payload = decodeJwt(issuerJwt);
    expect(decodeProtectedHeader(issuerJwt)).toEqual({ alg: 'ES256', typ: 'dc+sd-jwt' });
    expect(payload).toMatchObject({ iss: ISSUER, vct: VCT, kyc_level: 'substantial', _sd_alg: 'sha-256' });
    expect(Object.keys(payload)).not.toEqual(expect.arrayContaining(['given_name']));
    expect(payload.nationalities).toEqual([{ '...': expect.any(String) }, { '...': expect.any(String) }]);
    expect(JSON.stringify(payload)).not.toMatch(/Peña|1990|1032456789|"CO"/);
  });

  it('is verified by its holder, who sees everything', async () => {
    const { claims, disclosed, holderKey } = await verifyCredential(credential, parties.expected());
    expect(claims).toMatchObject(CLAIMS);
    expect(new Set(disclosed.map(String))).toEqual(new Set(DISCLOSABLE.map(String)));
    expect(holderKey.x).toBe(parties.holder.jwk.x);
    expect(disclosableClaims(credential)).toHaveLength(9);
  });

  it('has other salts and digests each time, and hides how many claims it has behind decoys', async () => {
    const digestsOf = async (decoys: number) =>
      decodeJwt((await parties.issue({ decoys })).split('~')[0] as string)._sd as string[];
    const [one, other, padded] = [await digestsOf(0), await digestsOf(0), await digestsOf(5)];
    expect(one.filter((each) => other.includes(each))).toEqual([]);
    expect([one.length, padded.length]).toEqual([4, 9]);
    expect(padded).toEqual(padded.toSorted());
    expect(await parties.reasonFor(await parties.present(await parties.issue({ decoys: 5 })))).toBe('accepted');
  });

  it.each([
    ['a claim of the credential itself', { claims: { exp: 1 }, disclosable: [] }, 'exp is not given as a claim'],
    ['a reserved name', { claims: { a: { _sd: [] } }, disclosable: [] }, 'no claim may be named _sd'],
    ['a reserved name', { claims: { '...': 'a' }, disclosable: [] }, 'no claim may be named ...'],
    ['a path to nothing', { disclosable: [['middle_name']] }, 'there is no claim at ["middle_name"]'],
    ['too many disclosures', { disclosable: Array.from({ length: 65 }, (_, nth) => [`c${nth}`]) }, '64 disclosures'],
    ['too much content', { claims: { a: 'x'.repeat(40_000) }, disclosable: [] }, 'larger than 31744 bytes'],
    ['a private key for its holder', { holderKey: { ...parties.holder.privateJwk } as never }, 'private part'],
  ])('is not issued with %s', async (_, changes, message) => {
    await expect(parties.issue(changes)).rejects.toThrow(message);
  });

  it('is issued no larger than can be shown in full', async () => {
    const issue = (letters: number) =>
      parties.issue({ claims: { a: 'x'.repeat(letters), b: 1 }, disclosable: [['a'], ['b']] });
    const room = MAX_CREDENTIAL_BYTES - KEY_BINDING_BYTES - (await issue(0)).length;
    const fitting = Math.floor((room * 3) / 4); // base64url
    const largest = await issue(fitting);
    const reveal = disclosableClaims(largest);
    expect(reveal).toHaveLength(2);
    expect(await parties.reasonFor(await parties.present(largest, { reveal }))).toBe('accepted');
    await expect(issue(fitting + 2)).rejects.toThrow('larger than');
    await expect(parties.present(largest, { reveal, nonce: 'n'.repeat(1_000) })).rejects.toThrow('larger than 32768');
  });

  it.each<[string, Json, (levels: number) => ClaimPath[]]>([
    ['nothing is', 1, () => []],
    ['the innermost object is', { b: 1 }, (levels) => [innermost(levels)]],
    ['a claim of the innermost object is', { b: 1 }, (levels) => [[...innermost(levels), 'b']]],
    ['an element of the innermost array is', [1], (levels) => [[...innermost(levels), 0]]],
    ['everything is', { b: [] }, (levels) => pathsTo([...innermost(levels), 'b'])],
  ])('is issued no deeper than can be read, where %s disclosable', async (_, value, disclosable) => {
    const issue = (levels: number) =>
      parties.issue({ claims: nested(value, levels) as JsonObject, disclosable: disclosable(levels) });
    const isIssued = (levels: number) =>
      issue(levels).then(
        () => true,
        () => false,
      );
    let levels = 1;
    while (await isIssued(levels + 1)) levels++;
    expect(levels).toBeGreaterThan(12);
    await expect(issue(levels + 1)).rejects.toThrow('nested deeper than 16 levels');
    const credential = await issue(levels);
    const { claims } = await verifyCredential(credential, parties.expected());
    expect(claims).toMatchObject(nested(value, levels) as JsonObject);
    const presentation = await parties.present(credential, { reveal: disclosableClaims(credential) });
    expect(await parties.reasonFor(presentation)).toBe('accepted');
  });
});

describe('a presentation', () => {
  const revealed = async (...reveal: (string | number | null)[][]) => {
    const { claims } = await verifyPresentation(await parties.present(credential, { reveal }), parties.expected());
    const { given_name, family_name, birthdate, nationalities, document } = claims;
    return JSON.parse(JSON.stringify({ given_name, family_name, birthdate, nationalities, document }));
  };

  it('shows what its holder reveals, and what is around it, and nothing else', async () => {
    expect(await revealed()).toEqual({ nationalities: [] });
    expect(await revealed(['family_name'])).toEqual({ family_name: 'Peña', nationalities: [] });
    expect(await revealed(['nationalities', 1])).toEqual({ nationalities: ['ES'] });
    expect(await revealed(['nationalities', null])).toEqual({ nationalities: ['CO', 'ES'] });
    expect(await revealed(['document', 'type'])).toEqual({ nationalities: [], document: { type: 'CC' } });
    expect(await revealed(['document'])).toEqual({ nationalities: [], document: CLAIMS.document });
  });

  it('is not made of claims that are not there, or of another presentation', async () => {
    for (const reveal of [['middle_name'], ['nationalities', 2], ['document', 0], ['family_name', null], []])
      await expect(parties.present(credential, { reveal: [reveal] })).rejects.toThrow('there is no claim at');
    await expect(parties.present(presentation)).rejects.toMatchObject({ reason: 'key_binding_unexpected' });
  });

  it('tells its verifier the holder, the status and what could have been kept back', async () => {
    expect(await verifyPresentation(presentation, parties.expected())).toMatchObject({
      disclosed: [['family_name']],
      status: { uri: `${ISSUER}/v1/wallet/status-list/1`, idx: 4_711 },
      claims: { iss: ISSUER, vct: VCT, exp: NOW + 86_400 },
      holderKey: { kty: 'EC', crv: 'P-256', x: parties.holder.jwk.x },
    });
  });

  it('is signed by its holder for one verifier and nonce', async () => {
    const keyBinding = (await parties.present(credential)).split('~').at(-1) as string;
    expect(decodeProtectedHeader(keyBinding)).toEqual({ alg: 'ES256', typ: 'kb+jwt' });
    expect(decodeJwt(keyBinding)).toEqual({ iat: NOW, aud: VERIFIER, nonce: NONCE, sd_hash: expect.any(String) });
  });

  it('is accepted up to two minutes before and after it was signed', async () => {
    for (const age of [-120, 120])
      expect(await parties.reasonFor(await parties.present(credential, { nowS: NOW - age }))).toBe('accepted');
    for (const age of [-121, 121])
      expect(await parties.reasonFor(await parties.present(credential, { nowS: NOW - age }))).toBe('key_binding_age');
  });
});

describe('the status of a credential', () => {
  it('is looked up where the credential says', async () => {
    const asked: unknown[] = [];
    const status = (reference: unknown) => Promise.resolve(asked.push(reference) - 1);
    expect(await parties.reasonFor(presentation, { status })).toBe('accepted');
    expect(asked).toEqual([{ uri: `${ISSUER}/v1/wallet/status-list/1`, idx: 4_711 }]);
  });

  it.each([
    [1, 'revoked'],
    [2, 'suspended'],
    [3, 'superseded'],
    [7, 'status'],
    [NaN, 'status'],
  ])('%d refuses the presentation: %s', async (status, reason) => {
    expect(await parties.reasonFor(presentation, { status: () => Promise.resolve(status) })).toBe(reason);
  });

  it('that cannot be looked up refuses the presentation, with the error of the look-up', async () => {
    const status = () => Promise.reject(new Error('the list cannot be reached'));
    await expect(verifyPresentation(presentation, parties.expected({ status }))).rejects.toThrow('cannot be reached');
  });

  it('is not looked up for a presentation that is refused anyway', async () => {
    let asked = 0;
    const status = () => Promise.resolve(asked++);
    expect(await parties.reasonFor(presentation, { status, nonce: 'another' })).toBe('nonce');
    expect(asked).toBe(0);
  });

  it('does not matter where the verifier says so', async () => {
    expect(await parties.reasonFor(presentation, { status: 'ignored' })).toBe('accepted');
  });
});
