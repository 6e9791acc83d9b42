import { PERSON_SCOPES } from '../../subjects/person-bearer.ts';

/** Below the address of the API: where the provider is mounted. */
export const OIDC_PATH = '/v1/oidc';
/** Below it: where a browser is sent to be asked, and comes back to with the answer. */
export const INTERACTION_PATH = '/interaction';

/** The resource whose access tokens are for this API (RFC 8707). */
export const API_RESOURCE = 'urn:service:api';
export const API_SCOPES = PERSON_SCOPES.join(' ');

/** How the person signed in, as ID tokens say it. */
export const ACR = { code: 'urn:service:acr:otp', passkey: 'urn:service:acr:passkey' } as const;

/** Names the grant of a token for the API, which ends with it: the SHA-256 of its id, base64url. */
export const GRANT_CLAIM = 'grant';

export const TTL = {
  code: 60,
  accessToken: 600,
  apiAccessToken: 300,
  idToken: 600,
  refreshToken: 30 * 86_400,
  interaction: 600,
  session: 8 * 3_600,
  /** How long ago a person may have signed in who gives a verification. */
  stepUp: 600,
} as const;
