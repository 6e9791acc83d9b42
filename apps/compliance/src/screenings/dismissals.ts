import type { Hit, ListEntry, ListSet } from '@constancia/name-screening';
import type { TenantKeyring } from '@constancia/personal-data';
import { concealedHash } from '../case-records/case-secrets.ts';
import { entryContentHash, subjectFactsHash, type Suppression } from '../case-records/suppression.ts';
import type { Assessed } from './assess.ts';
import type { Person } from './look-up.ts';

/** Knows the entries behind hits. */
export type Entries = Pick<ListSet, 'indexes'>;

/** A party's kind is not known; it is never the same comparison as that of a subject. */
const PARTY = 'party';

/** The hash of whom a hit was compared with. */
export function comparedHash(person: Person, party: string | null, subjectType: string): string {
  return subjectFactsHash({ ...person, subjectType: party === null ? subjectType : PARTY });
}

/** The hash of what the list says about a hit's entry. */
export function entryHash(entries: Entries, { list, entryId }: Pick<Hit, 'list' | 'entryId'>): string {
  let entry: ListEntry | undefined;
  for (const index of entries.indexes) if (index.list === list) entry ??= index.entry(entryId);
  if (!entry) throw new Error(`a hit on ${list} names no entry of it`);
  return entryContentHash(entry);
}

/** Tells hits that a person found to be someone else, as long as neither side has changed since. */
export function dismissals(
  suppressions: readonly Suppression[],
  entries: Entries,
  subjectType: string,
  keyring: TenantKeyring,
): Assessed['isDismissed'] {
  if (suppressions.length === 0) return () => false;
  const dismissed = new Set(suppressions.map((one) => `${one.subject_hash} ${one.list} ${one.entry_hash}`));
  return (hit, party, person) => {
    const subject = comparedHash(person, party, subjectType);
    const entry = `${hit.list} ${entryHash(entries, hit)}`;
    // The release before kept the hash itself.
    return dismissed.has(`${concealedHash(keyring, subject)} ${entry}`) || dismissed.has(`${subject} ${entry}`);
  };
}
