import * as client from 'openid-client';
import { testBrand, testDatabase, type TestDatabase, type TestTenant } from '@constancia/testing';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { DatabaseUnavailableError } from '@constancia/persistence';
import { TokenKeys } from '../token-keys/token-keys.ts';
import { Accounts } from './provider/accounts.ts';
import { Browser, REDIRECT, RunningOpenId } from './openid.fixture.ts';

let store: TestDatabase;
let running: RunningOpenId;
let tenant: TestTenant;
let walletId: string;

beforeAll(async () => {
  store = await testDatabase();
  running = await RunningOpenId.start(store);
  tenant = await running.tenant();
  walletId = await running.wallet();
  running.person = { walletId };
});
afterAll(async () => {
  await running?.close();
  await store?.drop();
});

interface Flow {
  config: client.Configuration;
  verifier: string;
  callback: URL;
}

async function configure(given: Record<string, unknown> = {}, of = tenant): Promise<client.Configuration> {
  const { id, secret } = await running.client(of, given);
  const method = given.token_endpoint_auth_method === 'none' ? client.None() : client.ClientSecretBasic(secret);
  return client.discovery(new URL(running.issuer), id, {}, method, {
    [client.customFetch]: running.fetch as never,
    execute: [client.allowInsecureRequests],
  });
}

const paramsOf = async (verifier: string, more: Record<string, string> = {}) => ({
  ...{ redirect_uri: REDIRECT, scope: 'openid', state: 's-1', nonce: 'n-1', code_challenge_method: 'S256' },
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  ...more,
});

async function authorize(config: client.Configuration, more = {}, browser = new Browser(running)): Promise<Flow> {
  const verifier = client.randomPKCECodeVerifier();
  const callback = await browser.open(client.buildAuthorizationUrl(config, await paramsOf(verifier, more)).href);
  if (callback instanceof Response) throw new Error(`${callback.status} ${await callback.text()}`);
  return { config, verifier, callback };
}

const redeem = (
  { config, verifier, callback }: Flow,
  options?: client.DPoPOptions,
  parameters?: Record<string, string>,
) => {
  const checks = { pkceCodeVerifier: verifier, expectedState: 's-1', expectedNonce: 'n-1' };
  return client.authorizationCodeGrant(config, callback, checks, parameters, options);
};

/** The error that a browser is sent back with, or a problem. */
async function refusal(config: client.Configuration, change: (url: URL) => void): Promise<string> {
  const verifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, await paramsOf(verifier));
  change(url);
  const answer = await new Browser(running).open(url.href);
  if (answer instanceof URL) {
    // Where a response of another kind was asked for, the error is in the fragment.
    const given = answer.hash === '' ? answer.searchParams : new URLSearchParams(answer.hash.slice(1));
    return `${given.get('error')}`;
  }
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  return `${answer.status} ${((await answer.json()) as { error: string }).error}`;
}

describe('discovery', () => {
  it.each([
    ['response_types_supported', ['code']],
    ['code_challenge_methods_supported', ['S256']],
    ['subject_types_supported', ['pairwise']],
    ['id_token_signing_alg_values_supported', ['ES256']],
    ['dpop_signing_alg_values_supported', ['ES256']],
    ['token_endpoint_auth_methods_supported', ['none', 'client_secret_basic', 'private_key_jwt']],
    ['authorization_response_iss_parameter_supported', true],
    ['claims_parameter_supported', true],
    ['request_uri_parameter_supported', false],
    ['request_object_signing_alg_values_supported', undefined],
    ['registration_endpoint', undefined],
    ['issuer', 'http://platform.test/v1/oidc'],
    ['authorization_endpoint', 'http://platform.test/v1/oidc/authorize'],
    ['pushed_authorization_request_endpoint', 'http://platform.test/v1/oidc/par'],
    ['token_endpoint', 'http://platform.test/v1/oidc/token'],
  ])('says %s: %j', async (name, value) => {
    const answer = await running.fetch('/v1/oidc/.well-known/openid-configuration', {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'ftp' },
    });
    expect(((await answer.json()) as Record<string, unknown>)[name]).toEqual(value);
  });

  it('publishes keys without their private parts', async () => {
    const { keys } = (await (await running.fetch('/v1/oidc/jwks')).json()) as { keys: object[] };
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({
      kty: 'EC',
      crv: 'P-256',
      alg: 'ES256',
      use: 'sig',
      kid: expect.any(String) as string,
    });
    expect(keys[0]).not.toHaveProperty('d');
  });
});

describe('code with PKCE', () => {
  it('ends with an ID token of ES256, an iss in the response, and claims of the scopes', async () => {
    const context = { acr_values: 'urn:service:acr:otp', max_age: '3600' };
    const flow = await authorize(await configure(), { scope: 'openid profile email', ...context });
    expect(flow.callback.searchParams.get('iss')).toBe(running.issuer);
    const tokens = await redeem(flow);
    const claims = tokens.claims() as client.IDToken;
    expect(claims).toMatchObject({ acr: 'urn:service:acr:otp', auth_time: expect.any(Number) as number });
    expect(claims.sub).not.toBe(walletId);
    expect(claims.exp - claims.iat).toBe(600);
    expect(decodeProtectedHeader(tokens.id_token as string).alg).toBe('ES256');
    expect(tokens.expires_in).toBe(600);
    expect(tokens.refresh_token).toBeUndefined();
    const info = await client.fetchUserInfo(flow.config, tokens.access_token, claims.sub);
    expect(info).toEqual({
      ...{ sub: claims.sub, name: 'ANA RUIZ', birthdate: '1987-04-12' },
      ...{ email: 'ana@mail.example', email_verified: true },
    });
  });

  it('calls a person the same for clients of one tenant, and otherwise for another tenant', async () => {
    const subject = async (of: TestTenant) => (await redeem(await authorize(await configure({}, of)))).claims()?.sub;
    const [first, second, other] = [
      await subject(tenant),
      await subject(tenant),
      await subject(await running.tenant()),
    ];
    expect(second).toBe(first);
    expect(other).not.toBe(first);
  });

  it('of 16 redemptions of a code at once one succeeds, and a replay later revokes the tokens', async () => {
    const config = await configure();
    for (let round = 0; round < 5; round++) {
      const flow = await authorize(config);
      const outcomes = await Promise.allSettled(Array.from({ length: 16 }, () => redeem(flow)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
    const flow = await authorize(config);
    const tokens = await redeem(flow);
    await expect(redeem(flow)).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck)).rejects.toThrow();
  });

  it.each<[string, (url: URL) => void, string]>([
    ['no challenge', (url) => url.searchParams.delete('code_challenge'), 'invalid_request'],
    ['the method plain', (url) => url.searchParams.set('code_challenge_method', 'plain'), 'invalid_request'],
    ['no method', (url) => url.searchParams.delete('code_challenge_method'), 'invalid_request'],
    ['an implicit response', (url) => url.searchParams.set('response_type', 'id_token'), 'invalid_request'],
    ['a hybrid response', (url) => url.searchParams.set('response_type', 'code id_token'), 'invalid_request'],
    ['a request object', (url) => url.searchParams.set('request', 'e30.e30.'), 'request_not_supported'],
    [
      'a foreign request_uri',
      (url) => url.searchParams.set('request_uri', 'https://rp.example/r'),
      'request_uri_not_supported',
    ],
    ['an unknown resource', (url) => url.searchParams.set('resource', 'urn:other'), 'invalid_target'],
    ['prompt=none without a session', (url) => url.searchParams.set('prompt', 'none'), 'login_required'],
    [
      'an unknown client',
      (url) => url.searchParams.set('client_id', 'oic_00000000000000000000000000'),
      '400 invalid_client',
    ],
    ['no client', (url) => url.searchParams.delete('client_id'), '400 invalid_request'],
  ])('refuses %s', async (_what, change, expected) => {
    expect(await refusal(await configure(), change)).toBe(expected);
  });

  it.each([
    'https://rp.example/callback/',
    'https://rp.example/Callback',
    'https://RP.example/callback',
    'https://rp.example:443/callback',
    'https://rp.example:8443/callback',
    'https://rp.example/callback?x=1',
    'https://rp.example/callback#f',
    'https://rp.example/x/../callback',
    'https://rp.example/%63allback',
    'https://user@rp.example/callback',
    'https://rp.example.evil.example/callback',
    'http://rp.example/callback',
    'https://evil.example/callback',
    'javascript:alert(1)',
  ])('redirects to no other address: %s', async (address) => {
    const change = (url: URL) => url.searchParams.set('redirect_uri', address);
    expect(await refusal(await configure(), change)).toMatch(/^400 invalid_redirect_uri$/);
  });

  it('refuses a wrong verifier, a wrong secret, and a code of another client', async () => {
    const [config, other] = [await configure(), await configure()];
    const flow = await authorize(config);
    const { client_id } = config.clientMetadata();
    const wrong = await client.discovery(new URL(running.issuer), client_id, {}, client.ClientSecretBasic('x'), {
      [client.customFetch]: running.fetch as never,
      execute: [client.allowInsecureRequests],
    });
    await expect(redeem({ ...flow, config: wrong })).rejects.toMatchObject({ status: 401 });
    await expect(redeem({ ...flow, config: other })).rejects.toMatchObject({ error: 'invalid_grant' });
    const verifier = client.randomPKCECodeVerifier();
    await expect(redeem({ ...flow, verifier })).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('a refusal of the person is access_denied', async () => {
    running.person = { walletId, agrees: false };
    const { callback } = await authorize(await configure());
    running.person = { walletId };
    expect(callback.searchParams.get('error')).toBe('access_denied');
  });

  it('signs in silently in the same browser, for the same scopes, and not for a verification', async () => {
    const config = await configure();
    const browser = new Browser(running);
    await authorize(config, { scope: 'openid kyc' }, browser);
    expect((await authorize(config, { prompt: 'none' }, browser)).callback.searchParams.get('code')).not.toBeNull();
    const silent = await authorize(config, { prompt: 'none', scope: 'openid kyc' }, browser);
    expect(silent.callback.searchParams.get('error')).toBe('consent_required');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 601_000 });
    try {
      const late = await authorize(config, { prompt: 'none', scope: 'openid kyc' }, browser);
      expect(late.callback.searchParams.get('error')).toBe('login_required');
      expect((await authorize(config, { prompt: 'none' }, browser)).callback.searchParams.get('code')).not.toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('pushed requests', () => {
  it('are redeemed once of 16 browsers at once, and needed where the client says so', async () => {
    const config = await configure({ par_required: true });
    expect(await refusal(config, () => undefined)).toMatch(/invalid_request/);
    for (let round = 0; round < 3; round++) {
      const params = await paramsOf(client.randomPKCECodeVerifier());
      const url = await client.buildAuthorizationUrlWithPAR(config, params);
      const answers = await Promise.all(Array.from({ length: 16 }, () => new Browser(running).open(url.href)));
      const codes = answers.filter((answer) => answer instanceof URL && answer.searchParams.has('code'));
      expect(codes).toHaveLength(1);
    }
  });
});

describe('refresh tokens', () => {
  const offline = { scope: 'openid offline_access', prompt: 'consent' };

  it('rotate: of 16 at once one succeeds, and the former revokes everything', async () => {
    const config = await configure();
    for (let round = 0; round < 5; round++) {
      const { refresh_token } = await redeem(await authorize(config, offline));
      const refresh = () => client.refreshTokenGrant(config, refresh_token as string);
      const outcomes = await Promise.allSettled(Array.from({ length: 16 }, refresh));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
    const { refresh_token } = await redeem(await authorize(config, offline));
    const next = await client.refreshTokenGrant(config, refresh_token as string);
    await expect(client.refreshTokenGrant(config, refresh_token as string)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(client.refreshTokenGrant(config, next.refresh_token as string)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('stop working when the wallet is erased', async () => {
    const erased = await running.wallet();
    running.person = { walletId: erased };
    const config = await configure();
    const tokens = await redeem(await authorize(config, offline));
    running.person = { walletId };
    await store.query(
      `update identity.wallet set document_index = null, contact_index = null, wrapped_key = null, sealed = null, erased_at = now(),
              receipt_id = gen_random_uuid() where wallet_id = $1`,
      [erased],
    );
    await expect(client.refreshTokenGrant(config, tokens.refresh_token as string)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck)).rejects.toThrow();
  });

  it('stop working, with the sign-in, when a passkey was removed or the wallet recovered', async () => {
    const left = await running.wallet();
    running.person = { walletId: left };
    const [config, browser] = [await configure(), new Browser(running)];
    const tokens = await redeem(await authorize(config, offline, browser));
    running.person = { walletId };
    await store.query(`update identity.wallet set signed_out_at = now() + interval '1 second' where wallet_id = $1`, [
      left,
    ]);
    await expect(client.refreshTokenGrant(config, tokens.refresh_token as string)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck)).rejects.toThrow();
    const silent = await authorize(config, { prompt: 'none' }, browser);
    expect(silent.callback.searchParams.get('error')).toBe('login_required');
  });

  it('revoked ones are refused', async () => {
    const config = await configure();
    const { refresh_token } = await redeem(await authorize(config, offline));
    await client.tokenRevocation(config, refresh_token as string);
    await expect(client.refreshTokenGrant(config, refresh_token as string)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe('tokens', () => {
  const subjectStatus = async (token: string, scheme = 'Bearer') => {
    const headers = { authorization: `${scheme} ${token}` };
    return (await running.platform.call('/v1/kyc/subjects/sub_01jd8m3x5se9t8qzvwpk4c2d6h', { headers })).status;
  };

  it('for the API are at+jwt of ES256 for five minutes, with the tenant, and not for userinfo', async () => {
    const config = await configure();
    const resource = { scope: 'openid subject:read', resource: 'urn:service:api' };
    const { access_token } = await redeem(await authorize(config, resource), undefined, {
      resource: resource.resource,
    });
    const keys = createRemoteJWKSet(new URL(`${running.url}/v1/oidc/jwks`));
    const { payload } = await jwtVerify(access_token, keys, {
      typ: 'at+jwt',
      audience: 'urn:service:api',
      algorithms: ['ES256'],
    });
    expect(payload).toMatchObject({ tenant_id: tenant.id, iss: running.issuer, scope: 'subject:read' });
    expect((payload.exp as number) - (payload.iat as number)).toBe(300);
    expect(payload.sub).not.toBe(walletId);
    await expect(client.fetchUserInfo(config, access_token, client.skipSubjectCheck)).rejects.toThrow();
    expect(
      (await running.platform.call('/v1/kyc/subjects', { headers: { authorization: `Bearer ${access_token}` } }))
        .status,
    ).toBe(401);
    expect(await subjectStatus(access_token)).toBe(404); // accepted: nobody has this subject
  });

  it('for the API that are bound by DPoP are refused at the API, as they are and with a proof', async () => {
    const config = await configure({ dpop_required: true });
    const dpop = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    const resource = 'urn:service:api';
    const flow = await authorize(config, { scope: 'openid subject:read', resource });
    const { access_token } = await redeem(flow, { DPoP: dpop }, { resource });
    expect([await subjectStatus(access_token), await subjectStatus(access_token, 'DPoP')]).toEqual([401, 401]);
  });

  it('bound by DPoP are refused as bearers, and a client that needs it gets none without', async () => {
    const config = await configure({ dpop_required: true });
    const dpop = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
    const tokens = await redeem(await authorize(config), { DPoP: dpop });
    expect(tokens.token_type).toBe('dpop');
    const { sub } = tokens.claims() as client.IDToken;
    expect((await client.fetchUserInfo(config, tokens.access_token, sub, { DPoP: dpop })).sub).toBe(sub);
    const bearer = await running.fetch('/v1/oidc/userinfo', {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(bearer.status).toBe(401);
    await expect(redeem(await authorize(config))).rejects.toThrow();
  });
});

describe('verified_claims', () => {
  const asked = (claims: object) =>
    JSON.stringify({ userinfo: { verified_claims: { verification: { trust_framework: null }, claims } } });
  const balance = async ({ apiKey: key }: TestTenant) =>
    (await running.platform.call<{ available: number }>('/v1/billing/balance', { key })).body.available;

  it('are what was asked for, and cost 32 the first time alone', async () => {
    const payer = await running.tenant(100);
    const config = await configure({}, payer);
    for (let round = 0; round < 2; round++) {
      const tokens = await redeem(
        await authorize(config, { scope: 'openid', claims: asked({ document_number: null }) }),
      );
      const info = await client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck);
      expect(info.verified_claims).toEqual({
        verification: { trust_framework: 'co_sarlaft' },
        claims: { document_number: '1098765432' },
      });
      expect(await balance(payer)).toBe(68);
    }
  });

  it('are those of the consent that a token was given for, whatever was agreed to elsewhere since', async () => {
    const person = await running.wallet();
    running.person = { walletId: person };
    const config = await configure();
    const first = await redeem(await authorize(config, { scope: 'openid kyc' }));
    const info = () => client.fetchUserInfo(config, first.access_token, client.skipSubjectCheck);
    const { verified_claims: before } = await info();
    await running.verifyAgain(person);
    const second = await redeem(await authorize(config, { scope: 'openid', claims: asked({ name: null }) }));
    running.person = { walletId };
    expect((await info()).verified_claims).toEqual(before);
    const other = await client.fetchUserInfo(config, second.access_token, client.skipSubjectCheck);
    expect(other.verified_claims).toMatchObject({ claims: { name: 'ANA RUIZ' } });
    expect(
      await refusal(config, (url) => url.searchParams.set('claims', '{"userinfo":{"verified_claims":true}}')),
    ).toBe('invalid_request');
  });

  it('are paid once by consents that come at once', async () => {
    const payer = await running.tenant(100);
    const config = await configure({}, payer);
    await Promise.all(Array.from({ length: 8 }, () => authorize(config, { scope: 'openid kyc' })));
    expect(await balance(payer)).toBe(68);
  });

  it('end with temporarily_unavailable where the credits do not cover them, and nothing is recorded', async () => {
    const poor = await running.tenant(31);
    const { callback } = await authorize(await configure({}, poor), { scope: 'openid kyc' });
    expect(callback.searchParams.get('error')).toBe('temporarily_unavailable');
    expect(await balance(poor)).toBe(31);
    expect(await store.query('select 1 from identity.oidc_release where tenant_id = $1', [poor.id])).toEqual([]);
  });

  it('are refused to a client without the scope, by scope and by name', async () => {
    const config = await configure({ scopes: ['openid'] });
    expect(await refusal(config, (url) => url.searchParams.set('scope', 'openid kyc'))).toBe('invalid_scope');
    expect(await refusal(config, (url) => url.searchParams.set('claims', asked({ name: null })))).toBe(
      'invalid_request',
    );
  });
});

describe('a store that is unavailable', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is temporarily_unavailable for the application, which the browser is sent back to', async () => {
    const config = await configure();
    const browser = new Browser(running);
    await authorize(config, {}, browser);
    vi.spyOn(running.get(Accounts), 'isSignedIn').mockRejectedValue(new DatabaseUnavailableError());
    const { callback } = await authorize(config, {}, browser);
    expect(callback.searchParams.get('error')).toBe('temporarily_unavailable');
  });
});

describe('the answer of a person', () => {
  it('counts in the browser that began it alone', async () => {
    const config = await configure();
    const url = client.buildAuthorizationUrl(config, await paramsOf(client.randomPKCECodeVerifier()));
    const [attacker, victim] = [new Browser(running), new Browser(running)];
    const { shown: brand } = await testBrand(store, tenant.id);
    const interaction = (await attacker.fetch(url.href)).headers.get('location') as string;
    const uid = interaction.slice(interaction.lastIndexOf('/') + 1);
    expect((await running.shown(uid)).tenant).toEqual({ display_name: `Tenant ${tenant.slug}`, ...brand });
    const answered = await running.answered(uid);
    expect((await victim.fetch(interaction)).status).toBe(404);
    expect((await victim.fetch(answered)).status).toBe(404);
    expect((await attacker.fetch(`${answered.slice(0, -2)}AA`)).status).toBe(404);
    expect((await attacker.fetch(answered)).status).toBe(303);
  });
});

describe('keys', () => {
  it('rotate without a break: an ID token of the former key is still known, and new ones are of the new key', async () => {
    const config = await configure();
    const browser = new Browser(running);
    const before = (await redeem(await authorize(config, {}, browser))).id_token as string;
    const kid = decodeProtectedHeader(before).kid as string;
    await store.query(
      `update identity.token_key set state = 'retired', retired_at = now(), wrapped_key = null, sealed_private = null where kid = $1`,
      [kid],
    );
    running.get(TokenKeys)['known'].clear(); // as after a minute
    const after = (await redeem(await authorize(await configure()))).id_token as string;
    expect(decodeProtectedHeader(after).kid).not.toBe(kid);
    const { keys } = (await (await running.fetch('/v1/oidc/jwks')).json()) as { keys: { kid: string }[] };
    expect(keys.map((key) => key.kid)).toContain(kid);
    const hint = { prompt: 'none', id_token_hint: before };
    expect((await authorize(config, hint, browser)).callback.searchParams.has('code')).toBe(true);
  });
});
