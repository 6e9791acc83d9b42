import { TokenRefused } from '@constancia/signed-jwt';
import type { JwtRefusal } from '@constancia/signed-jwt';

/** Why a credential or presentation is refused, beside what can be wrong with any signed token. */
export type CredentialRefusal =
  | JwtRefusal
  | 'hash_algorithm'
  | 'disclosure'
  | 'unreferenced_disclosure'
  | 'duplicate_digest'
  | 'too_many_disclosures'
  | 'reserved_name'
  | 'credential_type'
  | 'holder_key'
  | 'key_binding_missing'
  | 'key_binding_unexpected'
  | 'key_binding_age'
  | 'audience'
  | 'nonce'
  | 'sd_hash'
  | 'revoked'
  | 'suspended'
  | 'superseded'
  | 'status';

export const refused = (reason: CredentialRefusal, message: string): TokenRefused<CredentialRefusal> =>
  new TokenRefused(reason, message);
