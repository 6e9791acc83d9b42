import { PARTY_MEMBERS, PARTY_ROLES, type PartyRole, type SubjectPayload } from '@constancia/rule-graph';

/** What a payload says of somebody. */
export interface NamedParty {
  full_name: string;
  birth_date?: string;
  document_type?: string;
  document_number?: string;
  document_country?: string;
  country_code?: string;
  ownership_percent?: number;
}

export interface FoundParty {
  role: PartyRole;
  /** JSON Pointer into the payload. */
  pointer: string;
  party: NamedParty;
}

/** The parties that a checked payload names; null when it has no member for any. */
export function relatedParties(payload: SubjectPayload): FoundParty[] | null {
  const named = PARTY_ROLES.filter((role) => payload[PARTY_MEMBERS[role]] !== undefined);
  if (named.length === 0) return null;
  return named.flatMap((role) => {
    const member = PARTY_MEMBERS[role];
    const value: unknown = payload[member];
    if (!Array.isArray(value)) return [{ role, pointer: `/${member}`, party: value as NamedParty }];
    return value.map((party: unknown, nth) => ({ role, pointer: `/${member}/${nth}`, party: party as NamedParty }));
  });
}
