import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Parties, VCT } from './credentials.fixture.ts';
import { TypeMetadata } from './type-metadata.ts';
import { verifyCredential, verifyPresentation } from './verify-presentation.ts';

const DOCUMENT = {
  vct: VCT,
  name: 'Identidad verificada',
  claims: [
    { path: ['family_name'], mandatory: true, sd: 'always' },
    { path: ['kyc_level'], mandatory: true, sd: 'never' },
    { path: ['nationalities', null], sd: 'always' },
    { path: ['vct'], sd: 'never' },
    { path: ['document'] },
  ],
};
const bytesOf = (document: unknown) => Buffer.from(JSON.stringify(document));
const read = (changes: object = {}) => TypeMetadata.read(bytesOf({ ...DOCUMENT, ...changes }), VCT);

const parties = new Parties();
const typeMetadata = read();

describe('type metadata', () => {
  it('are named by their digest in the credentials of the type', async () => {
    const { claims, disclosed } = await verifyCredential(await parties.issue({ typeMetadata }), parties.expected());
    expect(claims['vct#integrity']).toBe(typeMetadata.integrity);
    expect(typeMetadata.integrity).toBe(
      `sha256-${createHash('sha256').update(JSON.stringify(DOCUMENT)).digest('base64')}`,
    );
    expect(() => typeMetadata.checkShown(claims, disclosed)).not.toThrow();
  });

  it('miss nothing in a presentation of some claims', async () => {
    const presentation = await parties.present(await parties.issue({ typeMetadata }), { reveal: [] });
    const { claims, disclosed } = await verifyPresentation(presentation, parties.expected());
    expect(() => typeMetadata.checkShown(claims, disclosed)).not.toThrow();
  });

  it.each([
    [
      'a mandatory claim missing',
      { claims: { kyc_level: 'low' }, disclosable: [] },
      'needs a claim at ["family_name"]',
    ],
    ['a claim shown that may be kept back', { disclosable: [] }, 'does not let ["family_name"]'],
    ['one element shown', { disclosable: [['family_name'], ['nationalities', 0]] }, 'does not let ["nationalities",1]'],
    ['a claim hidden that has to be shown', { disclosable: [['family_name'], ['nationalities', 0], ['nationalities', 1], ['kyc_level']] }, 'does not let ["kyc_level"]'], // prettier-ignore
    ['another type', { vct: 'https://wallet.example/credentials/other/1' }, 'of another type'],
  ])('let no credential be issued with %s', async (_, changes, message) => {
    await expect(parties.issue({ typeMetadata, ...changes })).rejects.toThrow(message);
  });

  it('refuse a credential that was issued with others, or hides in another way', async () => {
    const { claims, disclosed } = await verifyCredential(await parties.issue({ typeMetadata }), parties.expected());
    const refusal = expect.objectContaining({ reason: 'credential_type' });
    expect(() => read({ name: 'Identidad' }).checkShown(claims, disclosed)).toThrow(refusal);
    expect(() => typeMetadata.checkShown({ ...claims, 'vct#integrity': 'md5-AAAA' }, disclosed)).toThrow(refusal);
    expect(() => typeMetadata.checkShown({ ...claims, vct: 'other' }, disclosed)).toThrow(refusal);
    expect(() => typeMetadata.checkShown(claims, [])).toThrow(refusal);
    expect(() => typeMetadata.checkShown(claims, [...disclosed, ['kyc_level']])).toThrow(refusal);
  });

  it('of several digests, the strongest counts', async () => {
    const { claims, disclosed } = await verifyCredential(await parties.issue({ typeMetadata }), parties.expected());
    const sha512 = createHash('sha512').update(JSON.stringify(DOCUMENT)).digest('base64');
    const shown = (integrity: string) => typeMetadata.checkShown({ ...claims, 'vct#integrity': integrity }, disclosed);
    expect(() => shown(`sha256-AAAA sha512-${sha512}?ct=json`)).not.toThrow();
    expect(() => shown(`${typeMetadata.integrity} sha512-AAAA`)).toThrow('other type metadata');
  });

  it.each([
    ['credential_type', { vct: 'https://wallet.example/credentials/other/1' }],
    ['credential_type', { extends: 'https://wallet.example/credentials/base' }],
    ['too_large', { name: 'x'.repeat(65_536) }],
    ['malformed', { claims: {} }],
    ['malformed', { claims: ['family_name'] }],
    ['malformed', { claims: [{ path: [] }] }],
    ['malformed', { claims: [{ path: ['a', -1] }] }],
    ['malformed', { claims: [{ path: ['a'], sd: 'sometimes' }] }],
    ['malformed', { claims: [{ path: ['a'], mandatory: 'yes' }] }],
  ])('are refused as %s with %j', (reason, changes) => {
    expect(() => read(changes)).toThrow(expect.objectContaining({ reason }));
  });
});
