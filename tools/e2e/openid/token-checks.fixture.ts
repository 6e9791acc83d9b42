import * as client from 'openid-client';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, generateKeyPair, exportJWK, type JSONWebKeySet, type JWK, jwtVerify, SignJWT, UnsecuredJWT } from 'jose'; // prettier-ignore
import { createPublicKey } from 'node:crypto';
import { expect } from 'vitest';
import type { Check } from './check.fixture.ts';
import { AFTER_LOGOUT, basic, REDIRECT, type RelyingParty, succeeded } from './relying-party.fixture.ts';

const keysOf = async ({ issuer, fetch }: RelyingParty): Promise<JSONWebKeySet> =>
  (await (await fetch(`${issuer}/jwks`)).json()) as JSONWebKeySet;

const OFFLINE = { scope: 'openid offline_access', prompt: 'consent' };
const invalidGrant = { error: 'invalid_grant' };

/** An ID token that a forger makes of a right one. */
async function forgeries(party: RelyingParty, idToken: string): Promise<[string, string][]> {
  const claims = decodeJwt(idToken);
  const { keys } = await keysOf(party);
  const { kid } = decodeProtectedHeader(idToken);
  const jwk = keys.find((key) => key.kid === kid) as JWK;
  const pem = createPublicKey({ key: jwk as never, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const own = await generateKeyPair('ES256', { extractable: true });
  const header = { alg: 'ES256', kid: kid as string };
  return [
    ['alg none', new UnsecuredJWT(claims).encode()],
    ['HS256 with the public key', await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: kid as string }).sign(new TextEncoder().encode(pem as string))], // prettier-ignore
    ['another key under the kid', await new SignJWT(claims).setProtectedHeader(header).sign(own.privateKey)],
    ['a key in the header', await new SignJWT(claims).setProtectedHeader({ ...header, jwk: await exportJWK(own.publicKey) }).sign(own.privateKey)], // prettier-ignore
  ];
}

export const TOKEN_CHECKS: Check[] = [
  {
    name: 'id-token',
    what: 'the ID token is of ES256, ten minutes, with nonce, acr, amr, auth_time and a subject that is no wallet id',
    how: async (party) => {
      const claims = JSON.stringify({ id_token: { amr: null, acr: null } });
      const more = { max_age: '3600', scope: 'openid profile email', claims };
      const config = await party.usual();
      const tokens = await party.tokens(config, more);
      const { payload, protectedHeader } = await jwtVerify(
        tokens.id_token as string,
        createLocalJWKSet(await keysOf(party)),
      );
      expect(protectedHeader).toMatchObject({ alg: 'ES256' });
      expect(payload).toMatchObject({ iss: party.issuer, nonce: 'n-1', acr: 'urn:service:acr:otp', amr: ['otp'] });
      expect(payload.auth_time).toEqual(expect.any(Number));
      expect((payload.exp as number) - (payload.iat as number)).toBe(600);
      expect(payload.sub).toMatch(/^[A-Za-z0-9_-]{43}$/);
      const info = await client.fetchUserInfo(config, tokens.access_token, payload.sub as string);
      expect(info).toMatchObject({ email: party.email, email_verified: true });
    },
  },
  {
    name: 'code-verifier',
    what: 'a code needs its verifier, its client and its redirect_uri',
    how: async (party) => {
      const registered = await party.register();
      const config = await party.discovered(registered.client_id, client.ClientSecretBasic(registered.client_secret));
      const { callback, verifier } = await party.signIn(config);
      const form = { grant_type: 'authorization_code', code: callback.searchParams.get('code') as string };
      const other = await party.register();
      for (const [change, auth] of [
        [{ code_verifier: client.randomPKCECodeVerifier(), redirect_uri: REDIRECT }, basic(registered)],
        [{ redirect_uri: REDIRECT }, basic(registered)],
        [{ code_verifier: verifier, redirect_uri: AFTER_LOGOUT }, basic(registered)],
        [{ code_verifier: verifier, redirect_uri: REDIRECT }, basic(other)],
      ] as const) {
        const answer = await party.post('/token', { ...form, ...change } as Record<string, string>, auth);
        expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([400, 'invalid_grant']);
      }
    },
  },
  {
    name: 'code-race',
    what: 'of 16 redemptions of a code at once one succeeds; a replay later revokes what was given',
    how: async (party) => {
      const config = await party.usual();
      const flow = await party.signIn(config);
      expect(await succeeded(() => party.redeem(flow))).toBe(1);
      const again = await party.signIn(config);
      const tokens = await party.redeem(again);
      await expect(party.redeem(again)).rejects.toMatchObject(invalidGrant);
      await expect(client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck)).rejects.toThrow();
    },
  },
  {
    name: 'dpop',
    what: 'bound tokens are refused as bearers and with another key, and a client that needs binding gets none without',
    how: async (party) => {
      const config = await party.configured({ dpop_required: true });
      const [own, other] = [client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256')), client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))]; // prettier-ignore
      const tokens = await party.redeem(await party.signIn(config), { DPoP: own });
      expect(tokens.token_type).toBe('dpop');
      const { sub } = tokens.claims() as client.IDToken;
      expect((await client.fetchUserInfo(config, tokens.access_token, sub, { DPoP: own })).sub).toBe(sub);
      await expect(client.fetchUserInfo(config, tokens.access_token, sub, { DPoP: other })).rejects.toThrow();
      const bearer = await party.fetch(`${party.issuer}/userinfo`, { headers: { authorization: `Bearer ${tokens.access_token}` } }); // prettier-ignore
      expect(bearer.status).toBe(401);
      await expect(party.redeem(await party.signIn(config))).rejects.toThrow();
    },
  },
  {
    name: 'dpop-replay',
    what: 'a proof counts once, for its method and address, and signed by ES256 alone',
    how: async (party) => {
      const pair = await generateKeyPair('ES256', { extractable: true });
      const jwk = await exportJWK(pair.publicKey);
      const registered = await party.register();
      const proof = (claims: Record<string, unknown>) =>
        new SignJWT({ jti: crypto.randomUUID(), htm: 'POST', htu: `${party.issuer}/par`, ...claims })
          .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
          .setIssuedAt()
          .sign(pair.privateKey);
      const push = async (dpop: string) => {
        const form = {
          ...(await party.parameters(client.randomPKCECodeVerifier())),
          response_type: 'code',
          client_id: registered.client_id,
        };
        return (await party.post('/par', form, { ...basic(registered), dpop })).status;
      };
      const right = await proof({});
      expect(await push(right)).toBe(201);
      expect(await push(right)).toBe(400);
      expect(await push(await proof({ htm: 'GET' }))).toBe(400);
      expect(await push(await proof({ htu: 'https://evil.example/par' }))).toBe(400);
    },
  },
  {
    name: 'refresh-race',
    what: 'refresh tokens rotate: of 16 at once one succeeds, and the former one revokes everything',
    how: async (party) => {
      const config = await party.usual();
      const { refresh_token: raced } = await party.tokens(config, OFFLINE);
      expect(await succeeded(() => client.refreshTokenGrant(config, raced as string))).toBe(1);
      const { refresh_token } = await party.tokens(config, OFFLINE);
      const next = await client.refreshTokenGrant(config, refresh_token as string);
      await expect(client.refreshTokenGrant(config, refresh_token as string)).rejects.toMatchObject(invalidGrant);
      await expect(client.refreshTokenGrant(config, next.refresh_token as string)).rejects.toMatchObject(invalidGrant);
    },
  },
  {
    name: 'revocation',
    what: 'a revoked refresh token is refused, and a client cannot revoke what is another’s',
    how: async (party) => {
      const [config, other] = [await party.usual(), await party.configured()];
      const { refresh_token } = await party.tokens(config, OFFLINE);
      await client.tokenRevocation(other, refresh_token as string).catch(() => undefined);
      const next = await client.refreshTokenGrant(config, refresh_token as string);
      await client.tokenRevocation(config, next.refresh_token as string);
      await expect(client.refreshTokenGrant(config, next.refresh_token as string)).rejects.toMatchObject(invalidGrant);
    },
  },
  {
    name: 'introspection',
    what: 'a client sees its own token as active, and another’s as not',
    how: async (party) => {
      const [config, other] = [await party.usual(), await party.configured()];
      const { access_token } = await party.tokens(config);
      expect((await client.tokenIntrospection(config, access_token)).active).toBe(true);
      expect((await client.tokenIntrospection(other, access_token)).active).toBe(false);
    },
  },
  {
    name: 'userinfo',
    what: 'userinfo answers GET and POST with a bearer token, 401 without, and 401 for an ID token',
    how: async (party) => {
      const tokens = await party.tokens(await party.usual());
      const status = async (method: string, token?: string) =>
        (await party.fetch(`${party.issuer}/userinfo`, { method, headers: token ? { authorization: `Bearer ${token}` } : {} })).status; // prettier-ignore
      expect([await status('GET', tokens.access_token), await status('POST', tokens.access_token)]).toEqual([200, 200]);
      expect([await status('GET', tokens.id_token), await status('GET', 'x')]).toEqual([401, 401]);
      expect(await status('GET')).toBe(401);
    },
  },
  {
    name: 'api-token',
    what: 'a token for the API is at+jwt of five minutes with the tenant; no list of the tenant, no wallet and no userinfo takes it',
    how: async (party) => {
      const resource = 'urn:service:api';
      const config = await party.usual();
      const flow = await party.signIn(config, { scope: 'openid subject:read', resource });
      const { access_token } = await party.redeem(flow, undefined, { resource });
      const { payload } = await jwtVerify(access_token, createLocalJWKSet(await keysOf(party)), { typ: 'at+jwt', audience: resource }); // prettier-ignore
      expect(payload).toMatchObject({ tenant_id: party.tenant.tenantId, scope: 'subject:read' });
      expect((payload.exp as number) - (payload.iat as number)).toBe(300);
      const authorization = `Bearer ${access_token}`;
      for (const path of ['/v1/oidc/userinfo', '/v1/wallet/me', '/v1/kyc/subjects']) {
        expect([path, (await party.fetch(`${party.stack.baseUrl}${path}`, { headers: { authorization } })).status]).toEqual([path, 401]); // prettier-ignore
      }
    },
  },
  {
    name: 'logout',
    what: 'logout asks, ends the session, and leads to a registered address alone; no forged ID token says whose it is',
    how: async (party) => {
      const config = await party.usual();
      const browser = party.person.stranger(); // who signs in here, so that the others stay signed in
      const idToken = (await party.tokens(config, {}, browser)).id_token as string;
      const logout = (id_token_hint: string, post_logout_redirect_uri = AFTER_LOGOUT) =>
        `${party.issuer}/logout?${new URLSearchParams({ id_token_hint, post_logout_redirect_uri, state: 'z' }).toString()}`;
      for (const [what, forged] of await forgeries(party, idToken)) {
        expect([what, (await browser.fetch(logout(forged))).status]).toEqual([what, 400]);
      }
      expect((await browser.fetch(logout(idToken, 'https://evil.example/'))).status).toBe(400);
      const page = await browser.fetch(logout(idToken), { headers: { accept: 'text/html' } });
      expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://rp.example");
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(await page.text())?.[1] as string;
      const confirm = (secret: string) =>
        browser.fetch(`${party.issuer}/logout/confirm`, { method: 'POST', body: new URLSearchParams({ xsrf: secret, logout: 'yes' }) }); // prettier-ignore
      expect((await confirm('wrong')).status).toBe(400);
      const done = await confirm(xsrf);
      expect([done.status, done.headers.get('location')]).toEqual([303, `${AFTER_LOGOUT}?state=z`]);
      const { callback } = await party.signIn(config, { prompt: 'none' }, browser);
      expect(callback.searchParams.get('error')).toBe('login_required');
    },
  },
];
