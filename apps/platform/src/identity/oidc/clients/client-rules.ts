import { createPublicKey } from 'node:crypto';
import type { FieldError } from '@constancia/problem-json';
import type { ClientAuthMethod, ClientType, OidcClient } from './oidc-client.entity.ts';

export const ADDRESS_LENGTH = 2_000;
export const MAX_ADDRESSES = 20;
export const MAX_KEYS = 5;
const LEAST_RSA_BITS = 2_048;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What is checked of a client beyond the form of its members. */
export type CheckedClient = Pick<
  OidcClient,
  'type' | 'token_endpoint_auth_method' | 'jwks' | 'redirect_uris' | 'post_logout_redirect_uris' | 'scopes'
>;

/** How a client of a type proves who it is, unless it says otherwise. */
export const usualAuthMethod = (type: ClientType): ClientAuthMethod =>
  type === 'web' ? 'client_secret_basic' : 'none';

/**
 * Whether browsers may be sent to an address: it is exactly what is compared, so it is written as browsers write it.
 *
 * @param sandbox also http on this machine
 */
export function isExactAddress(text: string, { sandbox, type }: { sandbox: boolean; type?: ClientType }): boolean {
  if (/[*#\\\s]/.test(text) || !URL.canParse(text)) return false;
  const { href, protocol, hostname, username, password } = new URL(text);
  if (href !== text || username !== '' || password !== '') return false;
  if (protocol === 'https:') return type !== 'native' || !LOOPBACK.has(hostname); // the provider knows no such client
  return sandbox && protocol === 'http:' && LOOPBACK.has(hostname);
}

/** Everything that is wrong with a client. */
export function clientErrors(client: CheckedClient, options: { sandbox: boolean }): FieldError[] {
  return [
    ...addressErrors('redirect_uris', client.redirect_uris, { ...options, type: client.type }),
    ...addressErrors('post_logout_redirect_uris', client.post_logout_redirect_uris, { ...options, type: client.type }),
    ...methodErrors(client),
    ...keyErrors(client),
    ...(client.scopes.includes('openid') ? [] : [fault('/scopes', 'required', 'Add the scope openid.')]),
  ];
}

function addressErrors(
  member: string,
  addresses: readonly string[],
  options: { sandbox: boolean; type: ClientType },
): FieldError[] {
  const also = options.sandbox ? ', or http://localhost' : '';
  const detail = `Give an exact address of https${also}, as a browser writes it: without a fragment, a wildcard or a user.`;
  return addresses.flatMap((text, index) =>
    isExactAddress(text, options) ? [] : [fault(`/${member}/${index}`, 'wrong_format', detail)],
  );
}

function methodErrors({ type, token_endpoint_auth_method: method }: CheckedClient): FieldError[] {
  if ((type === 'web') === (method !== 'none')) return [];
  const detail =
    type === 'web'
      ? 'A web application keeps a secret or a key: client_secret_basic or private_key_jwt.'
      : 'What runs at the person can keep no secret: none.';
  return [fault('/token_endpoint_auth_method', 'not_allowed', detail)];
}

function keyErrors({ token_endpoint_auth_method: method, jwks }: CheckedClient): FieldError[] {
  if (method !== 'private_key_jwt') {
    return jwks === null ? [] : [fault('/jwks', 'not_allowed', 'Keys belong to private_key_jwt.')];
  }
  if (jwks === null) return [fault('/jwks', 'required', 'Give the public keys that sign your assertions.')];
  const detail = `Give public keys alone: EC P-256, or RSA of ${LEAST_RSA_BITS} bits and more, as JWK.`;
  return jwks.keys.flatMap((key, index) =>
    isPublicKey(key) ? [] : [fault(`/jwks/keys/${index}`, 'wrong_format', detail)],
  );
}

const PUBLIC_MEMBERS = new Set(['kty', 'crv', 'x', 'y', 'n', 'e', 'kid', 'use', 'alg']);

function isPublicKey(jwk: object): boolean {
  if (
    Object.entries(jwk).some(
      ([name, value]) => !PUBLIC_MEMBERS.has(name) || typeof value !== 'string' || value.length > 1_000,
    )
  )
    return false;
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPublicKey({
      key: jwk as never,
      format: 'jwk',
    });
    if (type === 'ec') return details?.namedCurve === 'prime256v1';
    return type === 'rsa' && (details?.modulusLength ?? 0) >= LEAST_RSA_BITS && (details?.modulusLength ?? 0) <= 4_096;
  } catch {
    return false;
  }
}

const fault = (pointer: string, code: string, detail: string): FieldError => ({ pointer, code, detail });
