import { ageOn, bogotaDay } from '@constancia/kernel';
import type { JsonObject } from '@constancia/signed-jwt';
import type { KeptVerification } from '../wallet-records.ts';
import type { WalletVerification } from '../wallet-verification.entity.ts';

/** The type of our credentials: what the claims below mean. */
export const IDENTITY_VCT = 'urn:service:credential:identity:1';

/** What a credential says of a person. Its holder shows any of them, and keeps the others back. */
export const IDENTITY_CLAIMS = [
  'name',
  'birthdate',
  'age_over_18',
  'document_type',
  'document_country',
  'document_number',
  'verification_level',
  'verified_on',
  'trust_framework',
] as const;
export type IdentityClaim = (typeof IDENTITY_CLAIMS)[number];

/** Under which rules the person was verified: those of SARLAFT in Colombia. */
const TRUST_FRAMEWORK = 'co_sarlaft';
const ADULT_YEARS = 18;

/**
 * The claims of a verification, without those that it does not have. For whom the person was verified is no claim, and the day of the
 * verification has no time: a verifier of a copy learns neither which company was first, nor which other copies are of this person.
 */
export function identityClaims(
  { level, verified_at }: Pick<WalletVerification, 'level' | 'verified_at'>,
  { full_name, birth_date, document_type, document_country, document_number }: KeptVerification,
  now: Date,
): JsonObject {
  const claims: Record<IdentityClaim, string | boolean | null> = {
    name: full_name,
    birthdate: birth_date,
    age_over_18: birth_date && ageOn(birth_date, bogotaDay(now)) >= ADULT_YEARS,
    document_type,
    document_country,
    document_number,
    verification_level: level,
    verified_on: bogotaDay(verified_at),
    trust_framework: TRUST_FRAMEWORK,
  };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null));
}
