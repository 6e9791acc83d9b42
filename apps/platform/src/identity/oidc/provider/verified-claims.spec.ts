import { describe, expect, it } from 'vitest';
import { requestedClaims, type Verification, verifiedClaims, type VerifiedClaimsRequest } from './verified-claims.ts';

const VERIFICATION: Verification = {
  kept: {
    document_type: 'CC',
    document_country: 'CO',
    document_number: '1098765432',
    full_name: 'ANA RUIZ',
    birth_date: null,
    verified_for: 'Banco',
  },
  level: 'document_face',
  verifiedAt: new Date('2026-11-01T10:00:00Z'),
  process: 'p-1',
};
const EVIDENCE = {
  type: 'document',
  document_details: { type: 'CC', issuer: { country: 'CO' } },
  check_details: [{ check_method: 'document' }, { check_method: 'face' }],
};
const of = (request: unknown) => verifiedClaims(VERIFICATION, request as VerifiedClaimsRequest);

describe('verified_claims', () => {
  it('of the scope: name and date of birth, as far as they are known, with the whole verification', () => {
    expect(of(null)).toEqual({
      verification: {
        trust_framework: 'co_sarlaft',
        time: '2026-11-01T10:00:00.000Z',
        verification_process: 'p-1',
        evidence: [EVIDENCE],
      },
      claims: { name: 'ANA RUIZ' },
    });
  });

  it('of a request: what it names, and nothing else', () => {
    const request = { verification: { trust_framework: null, evidence: [] }, claims: { document_number: null } };
    expect(of(request)).toEqual({
      verification: { trust_framework: 'co_sarlaft', evidence: [EVIDENCE] },
      claims: { document_number: '1098765432' },
    });
  });

  it.each([
    ['another trust framework', { verification: { trust_framework: { value: 'eidas' } }, claims: { name: null } }],
    [
      'none of a list of frameworks',
      { verification: { trust_framework: { values: ['eidas'] } }, claims: { name: null } },
    ],
    ['no claim', { verification: { trust_framework: null } }],
    ['an unknown claim', { claims: { salary: null } }],
    ['a claim that is not known of the person', { claims: { birthdate: null } }],
    ['a member of every object', { claims: { constructor: null, __proto__: null } }],
    ['claims that are no object', { claims: ['name'] }],
  ])('is left out for %s', (_what, request) => {
    expect(of(request)).toBeNull();
  });

  it('says which claims a person is asked for', () => {
    expect(requestedClaims(null)).toEqual(['name', 'birthdate']);
    expect(requestedClaims({ claims: { document_number: null, name: { essential: true }, salary: null } })).toEqual([
      'name',
      'document_number',
    ]);
  });
});
