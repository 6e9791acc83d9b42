import type { EntryKind, ListEntry } from '../entry.ts';
import { birthDatesIn } from './birth-dates.ts';
import { addBirthDates, addIdentifier, addName, addOnce, givenFirst, newEntry } from './entry-parts.ts';
import { identifierType } from './identifier-type.ts';
import { jsonLines, objects, texts, type JsonObject } from './json-lines.ts';
import { ListFileProblem } from './list-file-problem.ts';
import type { Reading } from './reading.ts';

const KINDS = new Map<string, EntryKind>(
  Object.entries({
    PERSON: 'person',
    ORGANIZATION: 'organisation',
    VESSEL: 'vessel',
    AIRCRAFT: 'aircraft',
  }),
);
/** Members of IDENTIFIERS: `<prefix>_NUMBER`, with `_TYPE` and `_COUNTRY` beside it. */
const NUMBERS: [prefix: string, word: string][] = [
  ['PASSPORT', 'PA'],
  ['NATIONAL_ID', 'National ID'],
  ['TAX_ID', 'Tax ID'],
  ['SSN', 'SSN'],
  ['LEI', 'LEI'],
  ['TRUSTED_ID', 'ID'],
  ['OTHER_ID', 'ID'],
];

/** Senzing's JSON lines, as OpenSanctions exports them (senzing.json). */
export async function* senzingEntries(reading: Reading): AsyncGenerator<ListEntry> {
  for (const file of reading.files) {
    let line = 0;
    for await (const record of jsonLines(reading, file)) {
      line += 1;
      if (typeof record.RECORD_ID !== 'string') {
        throw new ListFileProblem('wrong_format', 'The line is no Senzing record: it has no RECORD_ID.', {
          file: file.name,
          line,
        });
      }
      reading.count(file.name);
      yield entryOf(reading, record, record.RECORD_ID);
    }
  }
}

function entryOf(reading: Reading, record: JsonObject, id: string): ListEntry {
  const kind = KINDS.get(String(record.RECORD_TYPE)) ?? 'unknown';
  const entry = newEntry(id, kind);
  const names = objects(record.NAMES);
  const primary = names.find((name) => name.NAME_TYPE === 'PRIMARY') ?? names[0];
  for (const name of primary ? [primary, ...names] : []) {
    const full = fullName(name);
    addName(entry, kind === 'person' ? givenFirst(full) : full, name === primary ? 'primary' : 'strong');
  }
  for (const date of objects(record.DATES).flatMap((dates) => texts(dates.DATE_OF_BIRTH))) {
    addBirthDates(entry, reading.dates(date, birthDatesIn(date)));
  }
  for (const countries of objects(record.COUNTRIES)) {
    for (const country of Object.values(countries).flatMap(texts)) addOnce(entry.countries, reading.country(country));
  }
  for (const identifier of objects(record.IDENTIFIERS)) readIdentifier(reading, entry, identifier);
  const [change] = texts(record.LAST_CHANGE);
  reading.publishedAt(change);
  return entry;
}

function fullName(name: JsonObject): string {
  const [whole] = [...texts(name.NAME_FULL), ...texts(name.NAME_ORG)];
  return whole ?? ['NAME_FIRST', 'NAME_MIDDLE', 'NAME_LAST'].flatMap((part) => texts(name[part])).join(' ');
}

function readIdentifier(reading: Reading, entry: ListEntry, identifier: JsonObject): void {
  for (const [prefix, word] of NUMBERS) {
    const [number = ''] = texts(identifier[`${prefix}_NUMBER`]);
    if (!number || number === entry.id) continue; // the publisher's id of the record names no document
    const country = reading.country(texts(identifier[`${prefix}_COUNTRY`])[0]);
    addIdentifier(entry, identifierType(texts(identifier[`${prefix}_TYPE`])[0] ?? word, country), number, country);
  }
}
