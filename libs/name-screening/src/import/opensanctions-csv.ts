import type { ListEntry } from '../entry.ts';
import { birthDatesIn } from './birth-dates.ts';
import { tableRows, type TableRow } from './csv-table.ts';
import { addBirthDates, addIdentifier, addName, addOnce, givenFirst, newEntry } from './entry-parts.ts';
import { kindOfSchema } from './ftm-schema.ts';
import type { Reading } from './reading.ts';

/** The columns that every edition has; program_ids came later. */
const REQUIRED = ['id', 'schema', 'name', 'aliases', 'birth_date', 'countries', 'identifiers'];

/** OpenSanctions' simplified table (targets.simple.csv). Its identifiers have no type: theirs is `ID`. */
export async function* openSanctionsEntries(reading: Reading): AsyncGenerator<ListEntry> {
  for (const file of reading.files) {
    let warned = false;
    for await (const row of tableRows(reading, file, { required: REQUIRED })) {
      reading.count(file.name);
      if (!warned && !row.has('program_ids')) {
        reading.warn('old_columns', `${file.name} has no program_ids: its entries have no programmes`);
      }
      warned = true;
      yield entryOf(reading, row);
    }
  }
}

function entryOf(reading: Reading, row: TableRow): ListEntry {
  const entry = newEntry(row.cell('id'), kindOfSchema(row.cell('schema')) ?? 'unknown');
  const inOrder = (name: string) => (entry.kind === 'person' ? givenFirst(name) : name);
  addName(entry, inOrder(row.cell('name')), 'primary');
  for (const alias of row.values('aliases')) addName(entry, inOrder(alias), 'strong');
  for (const date of row.values('birth_date')) addBirthDates(entry, reading.dates(date, birthDatesIn(date)));
  for (const country of row.values('countries')) addOnce(entry.countries, reading.country(country));
  for (const number of row.values('identifiers')) addIdentifier(entry, 'ID', number);
  for (const programme of row.values('program_ids')) addOnce(entry.programmes, programme);
  reading.publishedAt(row.cell('last_seen'));
  return entry;
}
