import type { EntryKind, ListEntry } from '../entry.ts';
import { birthDatesIn } from './birth-dates.ts';
import { tableRows, type TableRow } from './csv-table.ts';
import { addBirthDates, addIdentifier, addName, addOnce, newEntry } from './entry-parts.ts';
import { kindOfSchema } from './ftm-schema.ts';
import type { Reading } from './reading.ts';

const REQUIRED = ['celex', 'programKey', 'schema', 'name', 'alias', 'birthDate'];
const COUNTRIES = ['nationality', 'jurisdiction', 'flag', 'country'];
const NUMBERS: Record<string, string> = {
  passportNumber: 'PA',
  idNumber: 'National ID',
  taxNumber: 'Tax ID',
  registrationNumber: 'Registration Number',
  innCode: 'INN',
  ogrnCode: 'OGRN',
  leiCode: 'LEI',
  swiftBic: 'SWIFT/BIC',
  imoNumber: 'IMO',
  mmsi: 'MMSI',
};

/**
 * EU designations transcribed from the Official Journal, a CSV file per framework act (OpenSanctions' journal data, CC BY-NC
 * 4.0). Read for tests and measurements; an operator imports the EU's own FSF file. A row is an entry: the same person under
 * two acts is two of them. Country cells are prose there ("Russian, Israeli"); what is no country is noted.
 */
export async function* euJournalEntries(reading: Reading): AsyncGenerator<ListEntry> {
  for (const file of reading.files) {
    let row = 0;
    for await (const cells of tableRows(reading, file, { required: REQUIRED })) {
      row += 1;
      reading.count('rows');
      yield entryOf(reading, cells, row);
    }
  }
}

function entryOf(reading: Reading, row: TableRow, number: number): ListEntry {
  const kind: EntryKind = kindOfSchema(row.cell('schema')) ?? 'unknown';
  const entry = newEntry(`${row.cell('celex')}/${number}`, kind === 'unknown' ? 'organisation' : kind);
  addName(entry, row.cell('name'), 'primary');
  for (const name of [...row.values('alias'), ...row.values('previousName')]) addName(entry, name, 'strong');
  for (const name of row.values('weakAlias')) addName(entry, name, 'weak');
  for (const date of row.values('birthDate')) addBirthDates(entry, reading.dates(date, birthDatesIn(date)));
  for (const column of COUNTRIES) {
    for (const country of row.values(column).flatMap((prose) => prose.split(/,|\/| and |\([a-d]\)/))) {
      addOnce(entry.countries, reading.country(country.replace(/\.$/, '')));
    }
  }
  for (const [column, type] of Object.entries(NUMBERS)) {
    for (const value of row.values(column)) addIdentifier(entry, type, value);
  }
  addOnce(entry.programmes, row.cell('programKey'));
  return entry;
}
