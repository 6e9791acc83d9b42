import { randomBytes } from 'node:crypto';
import { typeId, uuidv7 } from '@constancia/kernel';
import type { TestDatabase } from '@constancia/testing';
import type { RunningPlatform } from '../../running-platform.fixture.ts';
import { TokenKeys } from '../token-keys/token-keys.ts';
import { API_RESOURCE, API_SCOPES } from './provider/oidc-issuer.ts';
import { OpenIdProvider } from './provider/openid-provider.ts';

/** What a new client of a tenant gets for a person: an access token, one for the API, and an ID token. */
export async function openIdTokens(
  { app }: RunningPlatform,
  store: TestDatabase,
  { tenantId, walletId }: { tenantId: string; walletId: string },
): Promise<Record<'openid' | 'openid-api' | 'id-token', string>> {
  const id = uuidv7();
  await store.query(
    `insert into identity.oidc_client (id, tenant_id, name, type, token_endpoint_auth_method, redirect_uris,
            post_logout_redirect_uris, scopes, dpop_required, par_required)
     values ($1, $2, $3, 'spa', 'none', '{https://rp.example/callback}', '{}', '{openid}', false, false)`,
    [id, tenantId, randomBytes(6).toString('hex')],
  );
  const openid = app.get(OpenIdProvider, { strict: false });
  const { provider } = await openid.provider();
  const clientId = typeId('oic', id);
  const client = await provider.Client.find(clientId);
  const grant = new provider.Grant({ accountId: walletId, clientId });
  grant.addOIDCScope('openid');
  const given = { accountId: walletId, client, grantId: await grant.save(), gty: 'authorization_code' };
  const token = new provider.AccessToken({ ...given, scope: 'openid', claims: {} });
  const sign = await app.get(TokenKeys, { strict: false }).signer('openid');
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: openid.issuer, sub: 'x', iat: now, exp: now + 300, client_id: clientId, tenant_id: tenantId };
  return {
    openid: await token.save(),
    'openid-api': await sign('at+jwt', { ...claims, aud: API_RESOURCE, scope: API_SCOPES }),
    'id-token': await sign('JWT', { ...claims, aud: clientId }),
  };
}
