import { checkTarget, type TargetPolicy, TargetRefused } from '@constancia/events';
import type { ServerMetadata } from 'openid-client';
import { ProviderProblem } from './provider-problem.ts';

/** Signatures of ID tokens that are accepted: with a key pair, never with a shared secret. */
export const SIGNATURE_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'Ed25519', 'EdDSA']; // prettier-ignore

export type ClientAuthentication = 'client_secret_basic' | 'client_secret_post';

const REQUIRED_ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const USED_ENDPOINTS = [...REQUIRED_ENDPOINTS, 'userinfo_endpoint'] as const;

/** The metadata that sign-ins use, of which every rule holds. Throws ProviderProblem. */
export function checkedMetadata(metadata: ServerMetadata, issuer: string, policy: TargetPolicy): ServerMetadata {
  if (metadata.issuer !== issuer) {
    throw new ProviderProblem(
      'issuer_mismatch',
      'The provider calls itself by another issuer: give exactly the one in its discovery document, with or without a slash at its end.',
    );
  }
  for (const name of USED_ENDPOINTS) requireEndpoint(name, metadata[name], policy);
  if (metadata.response_types_supported?.includes('code') !== true) {
    throw new ProviderProblem('no_code_flow', 'The provider does not offer the authorization code flow.');
  }
  // OpenID Connect Discovery has no such member: a provider without it may know PKCE or ignore it, and the nonce binds the code anyway.
  if (metadata.code_challenge_methods_supported?.includes('S256') === false) {
    throw new ProviderProblem('no_pkce_s256', 'The provider offers PKCE, but not with S256.');
  }
  const offered = metadata.id_token_signing_alg_values_supported ?? ['RS256'];
  const algorithms = offered.filter((name) => SIGNATURE_ALGORITHMS.includes(name));
  if (algorithms.length === 0) {
    throw new ProviderProblem(
      'no_signature_algorithm',
      `The provider signs ID tokens with none of ${SIGNATURE_ALGORITHMS.join(', ')}.`,
    );
  }
  clientAuthenticationOf(metadata);
  return { ...metadata, id_token_signing_alg_values_supported: algorithms };
}

/** How the token endpoint takes the secret. Throws ProviderProblem. */
export function clientAuthenticationOf({
  token_endpoint_auth_methods_supported: offered = ['client_secret_basic'],
}: ServerMetadata): ClientAuthentication {
  const found = (['client_secret_basic', 'client_secret_post'] as const).find((name) => offered.includes(name));
  if (found !== undefined) return found;
  throw new ProviderProblem(
    'no_client_authentication',
    'The provider takes the client secret neither by client_secret_basic nor by client_secret_post.',
  );
}

function requireEndpoint(name: (typeof USED_ENDPOINTS)[number], address: unknown, policy: TargetPolicy): void {
  if (address === undefined && name === 'userinfo_endpoint') return;
  if (typeof address !== 'string') {
    throw new ProviderProblem('endpoint_missing', `The provider’s discovery document has no ${name}.`);
  }
  try {
    checkTarget(address, policy);
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    throw new ProviderProblem('endpoint_refused', `The ${name} of the provider is refused. ${error.message}`);
  }
}
