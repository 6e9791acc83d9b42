import type { ConsentClaim } from '@constancia/contracts';
import type { JsonObject } from '@constancia/signed-jwt';
import { claimNames, type ClaimName, type ReleasedClaims } from '../presentations/released-claims.ts';
import type { IdentityClaim } from '../wallet/credentials/identity-claims.ts';

/** How a credential calls what a tenant asks for. */
const NAMES: Record<ClaimName, IdentityClaim> = {
  document_type: 'document_type',
  document_country: 'document_country',
  document_number: 'document_number',
  full_name: 'name',
  birth_date: 'birthdate',
};

/** The claims of a credential that answer a request. */
export const credentialClaimNames = (requested: readonly ConsentClaim[]): IdentityClaim[] =>
  claimNames(requested).map((name) => NAMES[name]);

/** What of a presented credential answers a request, and nothing else that was shown; null when it lacks something. */
export function claimsOfCredential(presented: JsonObject, requested: readonly ConsentClaim[]): ReleasedClaims | null {
  const entries = claimNames(requested).map((name) => [name, presented[NAMES[name]]] as const);
  if (entries.some(([, value]) => typeof value !== 'string')) return null;
  return Object.fromEntries(entries) as unknown as ReleasedClaims;
}
