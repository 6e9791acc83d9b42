import type { ConsentClaim, ConsentClaimView } from '@constancia/contracts';
import { CONSENT_CLAIMS } from '@constancia/contracts';

export type ClaimName = ConsentClaimView['name'];

/** What a person gave: type and country of the document, and what was asked for. */
export interface ReleasedClaims {
  document_type: string;
  document_country: string;
  full_name?: string;
  birth_date?: string;
  document_number?: string;
}

/** What the sealed claims are bound to, beside tenant and subject. */
export const claimsContext = (presentationId: string): string => `wallet_presentation:${presentationId}`;

/** Every claim of an answer to a request, in the order in which they are shown. */
export function claimNames(requested: readonly ConsentClaim[]): ClaimName[] {
  return ['document_type', 'document_country', ...CONSENT_CLAIMS.filter((name) => requested.includes(name))];
}

/** What there is to give. */
type Kept = Record<ConsentClaim, string | null> & Pick<ReleasedClaims, 'document_type' | 'document_country'>;

/** What of a verification answers a request; null when it lacks something. */
export function releasedClaims(kept: Kept, requested: readonly ConsentClaim[]): ReleasedClaims | null {
  const { document_type, document_country } = kept;
  const released: ReleasedClaims = { document_type, document_country };
  for (const name of requested) {
    const value = kept[name];
    if (value === null) return null;
    released[name] = value;
  }
  return released;
}
