import { createHash } from 'node:crypto';
import { canonicalJson } from '@constancia/kernel';
import type { ListEntry } from '@constancia/name-screening';
import type { SuppressedHit } from './suppressed-hit.entity.ts';

/** What identifies a subject, or a party behind it, for the comparison with lists. Other members do not matter here. */
export interface SubjectFacts {
  subjectType: string;
  full_name?: unknown;
  birth_date?: unknown;
  subject_age?: unknown;
  document_type?: unknown;
  document_number?: unknown;
  country_code?: unknown;
}

/** A hit that a person found to be someone else: of this subject as it was, on this entry as it was. */
export type Suppression = Pick<SuppressedHit, 'subject_hash' | 'list' | 'entry_hash'>;

/**
 * SHA-256 (hex) of what a list says about an entry, its identifier apart: a list that renumbers its entries does not bring
 * dismissed hits back, one that adds an alias or a birth date does.
 */
export function entryContentHash(entry: ListEntry): string {
  const { id: _, ...content } = entry;
  return sha256(content);
}

/** SHA-256 (hex) of the facts that a comparison rests on: with any other name, date, document or country it is another hash. */
export function subjectFactsHash(facts: SubjectFacts): string {
  const { subjectType, full_name, birth_date, subject_age, document_type, document_number, country_code } = facts;
  const compared = { full_name, birth_date, document_type, document_number, country_code };
  // The age says something only where no birth date does, and then a birthday must not make another subject of it.
  const age = birth_date === undefined && subject_age !== undefined;
  const members = Object.entries(compared).map(([name, value]) => [name, plain(value)]);
  return sha256({ subject_type: subjectType, ...Object.fromEntries(members), has_age: age });
}

/** Blanks, case and Unicode form do not make another person. */
function plain(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  return value.normalize('NFKC').trim().replace(/\s+/g, ' ').toUpperCase();
}

function sha256(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
