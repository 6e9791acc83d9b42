import * as client from 'openid-client';
import { expect } from 'vitest';
import type { Check } from './check.fixture.ts';
import { REDIRECT, type RelyingParty } from './relying-party.fixture.ts';

const discovered = async ({ issuer, fetch }: RelyingParty): Promise<Record<string, unknown>> =>
  (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Record<string, unknown>;

const SAYS: [name: string, value: unknown][] = [
  ['response_types_supported', ['code']],
  ['code_challenge_methods_supported', ['S256']],
  ['subject_types_supported', ['pairwise']],
  ['id_token_signing_alg_values_supported', ['ES256']],
  ['token_endpoint_auth_methods_supported', ['none', 'client_secret_basic', 'private_key_jwt']],
  ['authorization_response_iss_parameter_supported', true],
  ['claims_parameter_supported', true],
  ['request_uri_parameter_supported', false],
  ['registration_endpoint', undefined],
];

const DISCOVERY: Check[] = [
  ...SAYS.map(([member, value]): Check => ({
    name: `discovery-${member}`,
    what: `discovery says ${member}: ${JSON.stringify(value)}`,
    how: async (party) => expect((await discovered(party))[member]).toEqual(value),
  })),
  {
    name: 'discovery-issuer',
    what: 'the issuer and every endpoint are those of BASE_URL, whatever a proxy or a caller says',
    how: async ({ issuer, fetch }) => {
      const answer = await fetch(`${issuer}/.well-known/openid-configuration`, {
        headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'ftp' },
      });
      const said = (await answer.json()) as Record<string, unknown>;
      expect(said.issuer).toBe(issuer);
      for (const [name, value] of Object.entries(said)) {
        if (name.endsWith('_endpoint') || name === 'jwks_uri') expect(value).toMatch(new RegExp(`^${issuer}/`));
      }
    },
  },
  ...['oauth-authorization-server', 'openid-configuration'].map((kind): Check => ({
    name: `discovery-rfc8414-${kind}`,
    what: `/.well-known/${kind}/v1/oidc says the same (RFC 8414)`,
    how: async (party) => {
      const answer = await party.fetch(`${party.stack.baseUrl}/.well-known/${kind}/v1/oidc`);
      expect(await answer.json()).toEqual(await discovered(party));
    },
  })),
  {
    name: 'jwks-public',
    what: 'the keys are public, ES256, without private parts, and may be kept for five minutes',
    how: async ({ issuer, fetch }) => {
      const answer = await fetch(`${issuer}/jwks`);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
      const { keys } = (await answer.json()) as { keys: Record<string, unknown>[] };
      expect(keys.length).toBeGreaterThan(0);
      for (const key of keys) {
        expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
        expect(key).not.toHaveProperty('d');
      }
    },
  },
];

const REFUSED: [name: string, what: string, change: (url: URL) => void, error: string][] = [
  ['pkce-missing', 'a request without PKCE', (url) => url.searchParams.delete('code_challenge'), 'invalid_request'],
  ['pkce-plain', 'PKCE with plain', (url) => url.searchParams.set('code_challenge_method', 'plain'), 'invalid_request'],
  [
    'pkce-short',
    'a challenge that is too short',
    (url) => url.searchParams.set('code_challenge', 'x'),
    'invalid_request',
  ],
  ['implicit', 'a token at the authorization endpoint', (url) => url.searchParams.set('response_type', 'id_token'), 'invalid_request'], // prettier-ignore
  ['hybrid', 'a code and a token', (url) => url.searchParams.set('response_type', 'code id_token'), 'invalid_request'], // prettier-ignore
  ['scope-unknown', 'a scope that the client does not have', (url) => url.searchParams.set('scope', 'openid phone'), 'none'], // prettier-ignore
  ['request-object', 'a request object', (url) => url.searchParams.set('request', 'e30.e30.'), 'request_not_supported'],
  ['request-uri', 'a request that is elsewhere', (url) => url.searchParams.set('request_uri', 'https://rp.example/r'), 'request_uri_not_supported'], // prettier-ignore
  ['resource-unknown', 'an unknown resource', (url) => url.searchParams.set('resource', 'urn:other'), 'invalid_target'],
  ['claims-malformed', 'claims that are no JSON', (url) => url.searchParams.set('claims', '{'), 'invalid_request'],
  ['client-unknown', 'an unknown client', (url) => url.searchParams.set('client_id', 'oic_00000000000000000000000000'), '400 invalid_client'], // prettier-ignore
  ['client-missing', 'no client', (url) => url.searchParams.delete('client_id'), '400 invalid_request'],
  ['redirect-missing', 'no redirect_uri', (url) => url.searchParams.delete('redirect_uri'), '400 invalid_request'],
  ['duplicate-parameter', 'a parameter that comes twice', (url) => url.searchParams.append('scope', 'openid'), 'invalid_request'], // prettier-ignore
];

/** Addresses that look like the registered one. */
const REDIRECTS: [name: string, address: string][] = [
  ['slash', `${REDIRECT}/`],
  ['case-path', 'https://rp.example/Callback'],
  ['case-host', 'https://RP.example/callback'],
  ['default-port', 'https://rp.example:443/callback'],
  ['port', 'https://rp.example:8443/callback'],
  ['query', `${REDIRECT}?x=1`],
  ['fragment', `${REDIRECT}#f`],
  ['traversal', 'https://rp.example/x/../callback'],
  ['encoded', 'https://rp.example/%63allback'],
  ['userinfo', 'https://user@rp.example/callback'],
  ['suffix-host', 'https://rp.example.evil.example/callback'],
  ['scheme', 'http://rp.example/callback'],
  ['foreign', 'https://evil.example/callback'],
  ['script', 'javascript:alert(1)'],
];

export const REQUEST_CHECKS: Check[] = [
  ...DISCOVERY,
  ...REFUSED.map(([name, what, change, error]): Check => ({
    name: `authorize-${name}`,
    what: error === 'none' ? `leaves ${what} out` : `refuses ${what}: ${error}`,
    how: async (party) => expect(await party.refusal(await party.usual(), change)).toBe(error),
  })),
  ...REDIRECTS.map(([name, address]): Check => ({
    name: `redirect-${name}`,
    what: `redirects to no other address than the registered one: ${address}`,
    how: async (party) => {
      const change = (url: URL) => url.searchParams.set('redirect_uri', address);
      expect(await party.refusal(await party.usual(), change)).toBe('400 invalid_redirect_uri');
    },
  })),
  {
    name: 'authorize-prompt-none',
    what: 'prompt=none without a session is login_required, with one and an agreement it succeeds, and for a verification it asks',
    how: async (party) => {
      const config = await party.usual();
      const stranger = party.person.stranger();
      const silent = { prompt: 'none' };
      expect((await party.signIn(config, silent, stranger)).callback.searchParams.get('error')).toBe('login_required');
      await party.signIn(config, { scope: 'openid kyc' });
      expect((await party.signIn(config, silent)).callback.searchParams.has('code')).toBe(true);
      const kyc = await party.signIn(config, { ...silent, scope: 'openid kyc' });
      expect(kyc.callback.searchParams.get('error')).toBe('consent_required');
    },
  },
  {
    name: 'authorize-refused-by-person',
    what: 'a person who does not go on ends with access_denied',
    how: async (party) =>
      expect(await party.refusal(await party.configured(), () => undefined, 'refuse')).toBe('access_denied'),
  },
  {
    name: 'authorize-post',
    what: 'a posted request is taken as one of an address',
    how: async (party) => {
      const config = await party.usual();
      const url = client.buildAuthorizationUrl(config, await party.parameters(client.randomPKCECodeVerifier()));
      const answer = await party.post('/authorize', Object.fromEntries(url.searchParams));
      expect(answer.status).toBe(303);
      const next = await party.person.open(new URL(answer.headers.get('location') as string, url).href);
      expect((next as URL).searchParams.has('code')).toBe(true);
    },
  },
  {
    name: 'authorize-state-iss',
    what: 'the response has the state of the request, and names its issuer (RFC 9207)',
    how: async (party) => {
      const { callback } = await party.signIn(await party.usual());
      expect(callback.searchParams.get('state')).toBe('s-1');
      expect(callback.searchParams.get('iss')).toBe(party.issuer);
    },
  },
  {
    name: 'authorize-ignores-unknown',
    what: 'unknown parameters, display and ui_locales change nothing',
    how: async (party) => {
      const more = { display: 'popup', ui_locales: 'fr', foo: 'bar' };
      expect((await party.signIn(await party.usual(), more)).callback.searchParams.has('code')).toBe(true);
    },
  },
  {
    name: 'mount-404',
    what: 'an unknown path is a problem, and so is a method that a path does not have',
    how: async ({ issuer, fetch }) => {
      for (const [path, method, status] of [
        ['/nothing', 'GET', 404],
        ['/token', 'GET', 405],
        ['/interaction/none/login', 'POST', 404],
      ] as const) {
        const answer = await fetch(`${issuer}${path}`, { method });
        expect([path, answer.status]).toEqual([path, status]);
        expect(answer.headers.get('content-type')).toContain('application/problem+json');
      }
    },
  },
  {
    name: 'mount-headers',
    what: 'every answer has a request id, its limits and the security headers',
    how: async ({ issuer, fetch }) => {
      for (const path of ['/jwks', '/authorize', '/userinfo']) {
        const { headers } = await fetch(`${issuer}${path}`);
        expect(headers.get('x-request-id')).not.toBeNull();
        expect(headers.get('x-ratelimit-limit')).not.toBeNull();
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      }
    },
  },
];
