import type { FieldError } from '@constancia/problem-json';
import { documentFault } from '@constancia/reference-data';
import { PARTY_ROLES, type SubjectPayload } from '@constancia/rule-graph';
import { PAYLOAD_LIMITS } from './payload-limits.ts';
import { type NamedParty, relatedParties } from './related-parties.ts';

/** One for the subject and each party. */
export const MOST_WARNINGS = 1 + PARTY_ROLES.length * PAYLOAD_LIMITS.parties;

/**
 * Document numbers that cannot be right, such as a NIT with another check digit, of a checked payload; pointers from `root` on. No
 * errors: anyone who is named is screened all the same, and what follows of it is for the rules (`document_check_failed`).
 */
export function payloadWarnings(payload: SubjectPayload, root = '/payload'): FieldError[] {
  const parties = (relatedParties(payload) ?? []).map(({ pointer, party }) => ({
    pointer: root + pointer,
    named: party,
  }));
  return [{ pointer: root, named: payload as Partial<NamedParty> }, ...parties].flatMap(({ pointer, named }) => {
    const { document_type: type, document_number: number, document_country, country_code } = named;
    if (type === undefined || number === undefined) return [];
    const fault = documentFault(type.toUpperCase(), document_country ?? country_code ?? 'CO', number);
    return fault === null ? [] : [{ pointer: `${pointer}/document_number`, ...fault }];
  });
}
