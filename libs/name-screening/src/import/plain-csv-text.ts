import type { BirthDate, EntryIdentifier, ListEntry } from '../entry.ts';
import { PLAIN_CSV_COLUMNS } from './plain-csv.ts';

type Column = (typeof PLAIN_CSV_COLUMNS)[number];

/** Entries as the plain CSV that they are read from again, the same. RFC 4180 with commas and a header. */
export function plainCsvOf(entries: readonly ListEntry[]): string {
  const lines = entries.map((entry) => PLAIN_CSV_COLUMNS.map((column) => cellOf(CELLS[column](entry))).join(','));
  return [PLAIN_CSV_COLUMNS.join(','), ...lines, ''].join('\r\n');
}

const CELLS: Record<Column, (entry: ListEntry) => string> = {
  id: ({ id }) => id,
  kind: ({ kind }) => (kind === 'unknown' ? '' : kind),
  name: ({ names }) => names[0]?.text ?? '',
  aliases: (entry) => joined(namesOf(entry, 'strong')),
  weak_aliases: (entry) => joined(namesOf(entry, 'weak')),
  birth_date: ({ birthDates }) => joined(birthDates.map(dateOf)),
  countries: ({ countries }) => joined(countries),
  identifiers: ({ identifiers }) => joined(identifiers.map(identifierOf)),
  programmes: ({ programmes }) => joined(programmes),
  role: ({ role }) => role?.title ?? '',
  role_until: ({ role }) => role?.until ?? '',
};

const namesOf = ({ names }: ListEntry, quality: 'strong' | 'weak'): string[] =>
  names.filter((name) => name.quality === quality).map(({ text }) => text);

/** The shortest form that means the same days. */
function dateOf({ from, to, circa }: BirthDate): string {
  const year = from.slice(0, 4);
  const isYear = from === `${year}-01-01` && to === `${year}-12-31`;
  const days = from === to ? from : isYear ? year : `${from} to ${to}`;
  return circa ? `circa ${days}` : days;
}

const identifierOf = ({ type, country, number }: EntryIdentifier): string =>
  [type, country, number].filter((part) => part !== undefined).join(':');

/** A value that holds a `;` or a quote stands in quotes of its own. */
const joined = (values: readonly string[]): string =>
  values.map((value) => (/[;"]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join('; ');

const cellOf = (text: string): string => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
