import type { EntryKind, EntryName, ListEntry } from '../entry.ts';

const RANK = { primary: 0, strong: 1, weak: 2 } as const;
const GENERATION = /^(.*),\s*((?:jr|sr)\.?|i{2,3}|iv)$/i;

/** A ship's number, which lists write under many headings. */
const IMO = /^IMO\s*(\d{7})$/i;

/** An entry without anything but its id, to be filled. */
export function newEntry(id: string, kind: EntryKind): ListEntry {
  return { id, kind, names: [], birthDates: [], countries: [], identifiers: [], programmes: [] };
}

/** Adds a name unless it is blank. The same text twice is one name, of the better quality. */
export function addName(entry: ListEntry, text: string, quality: EntryName['quality']): void {
  const clean = text.replace(/\s+/g, ' ').trim();
  if (!clean) return;
  const known = entry.names.find((name) => name.text === clean);
  if (!known) entry.names.push({ text: clean, quality });
  else if (RANK[quality] < RANK[known.quality]) known.quality = quality;
}

export function addOnce<Item extends string>(items: Item[], item: Item | undefined): void {
  if (item && !items.includes(item)) items.push(item);
}

/** Adds an identifier unless it is blank or there already. */
export function addIdentifier(entry: ListEntry, type: string, number: string, country?: string): void {
  const imo = IMO.exec(number.trim())?.[1];
  if (imo && type !== 'IMO') return addIdentifier(entry, 'IMO', imo);
  const clean = number.replace(/\s+/g, ' ').trim();
  if (!clean) return;
  const same = entry.identifiers.some(
    (known) => known.type === type && known.number === clean && known.country === country,
  );
  if (!same) entry.identifiers.push(country ? { type, country, number: clean } : { type, number: clean });
}

/** Adds birth dates that are not there already. */
export function addBirthDates(entry: ListEntry, dates: ListEntry['birthDates']): void {
  for (const date of dates) {
    const same = entry.birthDates.some(
      (known) => known.from === date.from && known.to === date.to && known.circa === date.circa,
    );
    if (!same) entry.birthDates.push(date);
  }
}

/**
 * `SURNAME, Given` of a person as `Given SURNAME`; `SURNAME, Given, Jr.` keeps the Jr. at its end. A name without a comma, or
 * with another use of it, stays as it is. Never for organizations: their commas belong to them.
 */
export function givenFirst(name: string): string {
  const [, rest = name, generation] = GENERATION.exec(name) ?? [];
  const [surname, given, more] = rest.split(',').map((part) => part.trim());
  if (!surname || !given || more !== undefined) return name;
  return [given, surname, generation].filter(Boolean).join(' ');
}
