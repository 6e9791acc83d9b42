import { describe, expect, it } from 'vitest';
import { CLAIMS, ISSUER, NONCE, NOW, Parties, VCT, VERIFIER } from './credentials.fixture.ts';
import { peerOf } from './peer.fixture.ts';
import { RFC_9901_A3 } from './rfc-9901.fixture.ts';
import { verifyCredential, verifyPresentation } from './verify-presentation.ts';

const parties = new Parties();
const peer = await peerOf(parties.issuer, parties.holder);

const peerIssued = () =>
  peer.issue({ iss: ISSUER, vct: VCT, iat: NOW - 60, exp: NOW + 60, cnf: { jwk: parties.holder.jwk }, ...CLAIMS }, {
    _sd: ['given_name', 'family_name', 'birthdate', 'document'],
    _sd_decoy: 3,
    nationalities: { _sd: [0, 1] },
    document: { _sd: ['type', 'number', 'country'] },
  } as never);
const peerPresented = (credential: string) =>
  peer.present(credential, { family_name: true, document: { type: true } } as never, {
    kb: { payload: { iat: NOW, aud: VERIFIER, nonce: NONCE } },
  });

describe('@sd-jwt 0.19', () => {
  it('verifies our presentations, nested disclosures and decoys included', async () => {
    const credential = await parties.issue({ decoys: 2 });
    const presentation = await parties.present(credential, { reveal: [['family_name'], ['document', 'number'], ['nationalities', 1]] }); // prettier-ignore
    const { payload, kb } = await peer.verify(presentation, { keyBindingNonce: NONCE, currentDate: NOW });
    expect(payload).toMatchObject({
      family_name: 'Peña',
      document: { number: '1032456789' },
      nationalities: ['ES'],
      kyc_level: 'substantial',
    });
    expect(kb?.payload).toMatchObject({ aud: VERIFIER, nonce: NONCE });
  });

  it('presents our credentials, as their holder', async () => {
    const presentation = await peerPresented(await parties.issue());
    const { claims } = await verifyPresentation(presentation, parties.expected());
    expect(claims).toMatchObject({ family_name: 'Peña', document: { type: 'CC' } });
    expect(claims).not.toHaveProperty('birthdate');
  });

  it('issues credentials that we verify and present', async () => {
    const credential = await peerIssued();
    expect((await verifyCredential(credential, parties.expected())).claims).toMatchObject(CLAIMS);
    const presentation = await parties.present(credential, { reveal: [['nationalities', null]] });
    expect((await verifyPresentation(presentation, parties.expected())).claims.nationalities).toEqual(['CO', 'ES']);
    await expect(peer.verify(presentation, { keyBindingNonce: NONCE, currentDate: NOW })).resolves.toBeDefined();
  });

  it('makes presentations that we verify', async () => {
    expect(await parties.reasonFor(await peerPresented(await peerIssued()))).toBe('accepted');
  });

  it('accepts an old presentation for somebody else, which we refuse', async () => {
    const credential = await parties.issue();
    const monthAgo = await parties.present(credential, { nowS: NOW - 30 * 86_400, audience: 'https://other.example' });
    await expect(peer.verify(monthAgo, { keyBindingNonce: NONCE, currentDate: NOW })).resolves.toBeDefined();
    expect(await parties.reasonFor(monthAgo)).toBe('audience');
    expect(await parties.reasonFor(monthAgo, { audience: 'https://other.example' })).toBe('key_binding_age');
  });
});

describe('the presentation of RFC 9901, appendix A.3', () => {
  const { presentation, issuerKey, ...expected } = RFC_9901_A3;
  const verify = (changes: Partial<typeof expected> = {}) =>
    verifyPresentation(presentation, { ...expected, ...changes, findIssuerKey: () => issuerKey, status: 'ignored' });

  it('is verified', async () => {
    const { claims, disclosed } = await verify();
    expect(claims).toMatchObject({ age_equal_or_over: { '18': true }, nationalities: ['DE'] });
    expect(disclosed).toEqual(
      expect.arrayContaining([['age_equal_or_over'], ['age_equal_or_over', '18'], ['nationalities']]),
    );
  });

  it('is refused three minutes later, and for another nonce', async () => {
    await expect(verify({ nowS: expected.nowS + 180 })).rejects.toMatchObject({ reason: 'key_binding_age' });
    await expect(verify({ nonce: '123456789' })).rejects.toMatchObject({ reason: 'nonce' });
  });
});
