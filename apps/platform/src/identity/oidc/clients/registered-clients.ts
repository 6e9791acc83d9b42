import { typeId, uuidOf } from '@constancia/kernel';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../../identity-database.ts';
import { storeUnavailable } from '../store/oidc-records.ts';
import type { OidcClient } from './oidc-client.entity.ts';

/** The clients of all tenants, as the provider looks them up. It never writes one. */
@Injectable()
export class RegisteredClients implements Adapter {
  constructor(private readonly database: IdentityDatabase) {}

  async find(clientId: string): Promise<AdapterPayload | undefined> {
    const id = uuidOf('oic', clientId);
    if (id === null) return undefined;
    const [row] = await this.database
      .query<OidcClient>('select * from identity.find_oidc_client($1)', [id])
      .catch(storeUnavailable);
    return row === undefined ? undefined : metadataOf(row);
  }

  findByUid = readOnly;
  upsert = readOnly;
  consume = readOnly;
  destroy = readOnly;
  revokeByGrantId = readOnly;
}

const readOnly = (): Promise<never> => Promise.reject(new Error('clients are managed by their tenants'));

/** The SHA-256 of each secret that is accepted now, hex: what `compareHashedSecrets` takes. */
function acceptedSecrets({
  secret_sha256,
  previous_secret_sha256,
  previous_secret_expires_at: until,
}: OidcClient): string[] {
  const former = until !== null && until > new Date() ? [previous_secret_sha256] : [];
  return [secret_sha256, ...former].flatMap((hash) => (hash === null ? [] : [hash.toString('hex')]));
}

/** As OpenID Connect Dynamic Client Registration names it, with the SHA-256 of secrets instead of the secret. */
function metadataOf(client: OidcClient): AdapterPayload {
  return {
    client_id: typeId('oic', client.id),
    client_name: client.name,
    tenant_id: client.tenant_id,
    application_type: client.type === 'native' ? 'native' : 'web',
    redirect_uris: client.redirect_uris,
    post_logout_redirect_uris: client.post_logout_redirect_uris,
    token_endpoint_auth_method: client.token_endpoint_auth_method,
    ...(client.secret_sha256 !== null && { client_secret: acceptedSecrets(client).join(' ') }),
    ...(client.jwks !== null && { jwks: client.jwks }),
    grant_types: ['authorization_code', ...(client.scopes.includes('offline_access') ? ['refresh_token'] : [])],
    response_types: ['code'],
    response_modes: ['query'],
    scope: client.scopes.join(' '),
    dpop_bound_access_tokens: client.dpop_required,
    require_pushed_authorization_requests: client.par_required,
    id_token_signed_response_alg: 'ES256',
    subject_type: 'pairwise',
  };
}
