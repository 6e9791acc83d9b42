import { expect, it } from 'vitest';
import { askedClaims } from './asked-claims.ts';

const asked = (scope: string, claims?: object) =>
  askedClaims({ params: { scope, ...(claims && { claims: JSON.stringify(claims) }) } }).names;
const number = { verified_claims: { claims: { document_number: null } } };
const evidence = { verified_claims: { verification: { evidence: null }, claims: { name: null } } };
const OF_KYC = ['full_name', 'birth_date', 'document_type', 'document_country', 'verification'];

it.each([
  ['the scope, whose evidence names the document', 'openid kyc', undefined, OF_KYC],
  [
    'a request of userinfo, in place of the scope',
    'openid kyc',
    { userinfo: number },
    ['document_number', 'verification'],
  ],
  [
    'a request of the ID token, beside the scope',
    'openid kyc',
    { id_token: number },
    [...OF_KYC.slice(0, 4), 'document_number', 'verification'],
  ],
  [
    'evidence by name',
    'openid',
    { userinfo: evidence },
    ['full_name', 'document_type', 'document_country', 'verification'],
  ],
  [
    'what lasts, and what the API gives',
    'openid email offline_access subject:read',
    undefined,
    ['email', 'offline_access', 'api'],
  ],
  ['a sign-in alone', 'openid', undefined, []],
])('a person is shown everything that is given: %s', (_, scope, claims, names) => {
  expect(asked(scope, claims)).toEqual(names);
});
