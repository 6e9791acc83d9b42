import type { EntryKind } from '../entry.ts';

/** FollowTheMoney schemata of what can be on a list. A LegalEntity may be either a person or an organization. */
const KINDS = new Map<string, EntryKind>(
  Object.entries({
    Person: 'person',
    Organization: 'organisation',
    Company: 'organisation',
    PublicBody: 'organisation',
    LegalEntity: 'unknown',
    Vessel: 'vessel',
    Airplane: 'aircraft',
  }),
);

/** Undefined for schemata that are no subject of a screening: Address, Sanction, Ownership, Payment… */
export function kindOfSchema(schema: string): EntryKind | undefined {
  return KINDS.get(schema);
}
