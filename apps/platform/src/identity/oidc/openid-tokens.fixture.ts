import { randomBytes } from 'node:crypto';
import { typeId, uuidv7 } from '@constancia/kernel';
import type { TestDatabase } from '@constancia/testing';
import type { RunningPlatform } from '../../running-platform.fixture.ts';
import { TokenKeys } from '../token-keys/token-keys.ts';
import { Accounts } from './provider/accounts.ts';
import { API_RESOURCE, API_SCOPES, GRANT_CLAIM } from './provider/oidc-issuer.ts';
import { OpenIdProvider } from './provider/openid-provider.ts';
import { recordHash } from './store/oidc-records.ts';

/** A person at a tenant. UUIDs. */
interface Person {
  tenantId: string;
  walletId: string;
}

/** What a new client of a tenant gets for a person: an access token, one for the API, and an ID token. */
export async function openIdTokens(
  { app }: RunningPlatform,
  store: TestDatabase,
  person: Person,
): Promise<Record<'openid' | 'openid-api' | 'id-token', string>> {
  const { provider } = await app.get(OpenIdProvider, { strict: false }).provider();
  const { clientId, grantId, claims } = await apiClaims({ app }, store, person);
  const client = await provider.Client.find(clientId);
  const given = { accountId: person.walletId, client, grantId, gty: 'authorization_code' };
  const token = new provider.AccessToken({ ...given, scope: 'openid', claims: {} });
  const sign = await app.get(TokenKeys, { strict: false }).signer('openid');
  return {
    openid: await token.save(),
    'openid-api': await sign('at+jwt', claims),
    'id-token': await sign('JWT', { ...claims, aud: clientId }),
  };
}

/** What the token for the API says that a new client of a tenant gets for a person. */
export async function apiClaims(
  { app }: Pick<RunningPlatform, 'app'>,
  store: TestDatabase,
  { tenantId, walletId }: Person,
): Promise<{ clientId: string; grantId: string; claims: Record<string, string | number> }> {
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
  const grant = new provider.Grant({ accountId: walletId, clientId });
  grant.addOIDCScope('openid');
  const grantId = await grant.save();
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    ...{ iss: openid.issuer, aud: API_RESOURCE, iat: now, exp: now + 300, client_id: clientId, tenant_id: tenantId },
    sub: await app.get(Accounts, { strict: false }).subject(walletId, { tenant_id: tenantId }),
    ...{ scope: API_SCOPES, [GRANT_CLAIM]: recordHash(grantId).toString('base64url') },
  };
  return { clientId, grantId, claims };
}
