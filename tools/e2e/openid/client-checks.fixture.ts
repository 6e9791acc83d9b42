import * as client from 'openid-client';
import { generateKeyPair, exportJWK, SignJWT, UnsecuredJWT } from 'jose';
import { expect } from 'vitest';
import type { Check } from './check.fixture.ts';
import { basic, REDIRECT, succeeded } from './relying-party.fixture.ts';

export const CLIENT_CHECKS: Check[] = [
  {
    name: 'client-secret-wrong',
    what: 'a wrong secret is 401 invalid_client',
    how: async (party) => {
      const registered = await party.register();
      const form = { grant_type: 'authorization_code', code: 'x', redirect_uri: REDIRECT, code_verifier: 'x' };
      const answer = await party.post('/token', form, basic({ ...registered, client_secret: 'wrong' }));
      expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([401, 'invalid_client']);
    },
  },
  {
    name: 'client-secret-rotated',
    what: 'after a rotation both secrets count during the grace, and without one the new secret alone',
    how: async (party) => {
      const registered = await party.register();
      const works = async (client_secret: string) => {
        const config = await party.discovered(registered.client_id, client.ClientSecretBasic(client_secret));
        return (await party.tokens(config).catch(() => null)) !== null;
      };
      const rotate = async (grace_seconds: number) => {
        const { data } = await party.tenant.platform.POST('/v1/oidc/clients/{id}/rotate-secret', {
          params: { path: { id: registered.client_id } },
          body: { grace_seconds },
        });
        return data?.client_secret as string;
      };
      const second = await rotate(60);
      expect([await works(registered.client_secret as string), await works(second)]).toEqual([true, true]);
      const third = await rotate(0);
      expect([await works(second), await works(third)]).toEqual([false, true]);
    },
  },
  {
    name: 'client-deleted',
    what: 'the tokens of a deleted client stop working, and nobody is sent back to it',
    how: async (party) => {
      const config = await party.configured();
      const tokens = await party.tokens(config);
      const id = config.clientMetadata().client_id;
      await party.tenant.platform.DELETE('/v1/oidc/clients/{id}', { params: { path: { id } } });
      await expect(client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck)).rejects.toThrow();
      expect(await party.refusal(config, () => undefined)).toBe('400 invalid_client');
    },
  },
  {
    name: 'public-client',
    what: 'a client without a secret signs in with PKCE alone, and its browser may read the answer',
    how: async (party) => {
      const config = await party.configured({ type: 'spa' });
      expect((await party.tokens(config)).id_token).toBeDefined();
      const preflight = await party.fetch(`${party.issuer}/token`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://rp.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'dpop',
        },
      });
      expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, 'dpop']);
      const foreign = await party.post('/token', { grant_type: 'authorization_code', client_id: config.clientMetadata().client_id }, { origin: 'https://evil.example' }); // prettier-ignore
      expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    },
  },
  {
    name: 'private-key-jwt',
    what: 'a client proves who it is by its key, and not by none, by its public key as a secret, or by another key',
    how: async (party) => {
      const [own, other] = [await generateKeyPair('ES256', { extractable: true }), await generateKeyPair('ES256')];
      const jwk = { ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'ES256' };
      const given = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } };
      const { client_id } = await party.register(given);
      const config = await party.discovered(client_id, client.PrivateKeyJwt({ key: own.privateKey, kid: 'k1' }));
      expect((await party.tokens(config)).id_token).toBeDefined();
      const claims = { iss: client_id, sub: client_id, aud: party.issuer, jti: crypto.randomUUID() };
      const signed = (alg: string, key: Parameters<SignJWT['sign']>[0]) =>
        new SignJWT(claims).setProtectedHeader({ alg, kid: 'k1' }).setIssuedAt().setExpirationTime('1m').sign(key);
      for (const client_assertion of [
        new UnsecuredJWT(claims).setIssuedAt().setExpirationTime('1m').encode(),
        await signed('HS256', new TextEncoder().encode(JSON.stringify(jwk))),
        await signed('ES256', other.privateKey),
      ]) {
        const answer = await party.post('/par', {
          client_assertion,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        });
        expect(((await answer.json()) as { error: string }).error).toBe('invalid_client');
      }
    },
  },
  {
    name: 'par',
    what: 'a pushed request counts once of 16 browsers at once, needs its client, and is needed where the client says so',
    how: async (party) => {
      const config = await party.configured({ par_required: true });
      expect(await party.refusal(config, () => undefined)).toMatch(/invalid_request/);
      const pushed = async () => {
        const first = await client.buildAuthorizationUrlWithPAR(config, await party.parameters(client.randomPKCECodeVerifier())); // prettier-ignore
        expect((await party.person.open(first.href)) as URL).toMatchObject({ host: 'rp.example' });
      };
      await pushed(); // the person has agreed
      const url = await client.buildAuthorizationUrlWithPAR(config, await party.parameters(client.randomPKCECodeVerifier(), { prompt: 'none' })); // prettier-ignore
      const open = async () => {
        const result = await party.person.open(url.href);
        if (!(result instanceof URL) || !result.searchParams.has('code')) throw new Error('no code');
      };
      expect(await succeeded(open)).toBe(1);
      const other = await party.usual();
      const stolen = await client.buildAuthorizationUrlWithPAR(config, await party.parameters(client.randomPKCECodeVerifier())); // prettier-ignore
      stolen.searchParams.set('client_id', other.clientMetadata().client_id);
      expect(await party.person.open(stolen.href)).not.toBeInstanceOf(URL);
    },
  },
];
