import type { EntryKind, ListEntry } from '../entry.ts';
import { birthDatesIn } from './birth-dates.ts';
import { countryCode } from './country-code.ts';
import { tableRows, type TableRow } from './csv-table.ts';
import { firstLineOf } from './detect-format.ts';
import { addBirthDates, addIdentifier, addName, addOnce, newEntry } from './entry-parts.ts';
import { identifierType } from './identifier-type.ts';
import { ListFileProblem } from './list-file-problem.ts';
import type { ListFile } from './list-source.ts';
import type { Reading } from './reading.ts';

/** Columns of the plain CSV, in the order of the guide. Only id and name must be there. */
export const PLAIN_CSV_COLUMNS = [
  'id',
  'kind',
  'name',
  'aliases',
  'weak_aliases',
  'birth_date',
  'countries',
  'identifiers',
  'programmes',
  'role',
  'role_until',
] as const;

const KINDS = new Map<string, EntryKind>(
  Object.entries({
    '': 'unknown',
    unknown: 'unknown',
    person: 'person',
    persona: 'person',
    organisation: 'organisation',
    organization: 'organisation',
    organizacion: 'organisation',
    empresa: 'organisation',
    vessel: 'vessel',
    nave: 'vessel',
    aircraft: 'aircraft',
    aeronave: 'aircraft',
  }),
);

/**
 * A list that an operator or a tenant keeps: CSV with the header of PLAIN_CSV_COLUMNS, cells with several values joined by
 * `;`, separated by commas, or by semicolons as Excel writes it in Spanish. Strict, for its author can mend it: what cannot be
 * read is a ListFileProblem malformed with its line, never left out.
 */
export async function* plainCsvEntries(reading: Reading): AsyncGenerator<ListEntry> {
  for await (const row of plainCsvRows(reading)) {
    if (row instanceof ListFileProblem) throw row;
    yield row;
  }
}

/** Each row: its entry, or what is wrong with it. Throws ListFileProblem for what is wrong with the file. */
export async function* plainCsvRows(reading: Reading): AsyncGenerator<ListEntry | ListFileProblem> {
  const lines = new Map<string, number>();
  for (const file of reading.files) {
    const header = await firstLineOf(file);
    const delimiter = header.includes(';') && !header.includes(',') ? ';' : ',';
    const shape = { required: ['id', 'name'], known: PLAIN_CSV_COLUMNS, delimiter };
    for await (const row of tableRows(reading, file, shape)) {
      reading.count(file.name);
      yield entryOrProblem(file, row, lines);
    }
  }
}

/** `lines`: where each id stands; this one's is noted. */
function entryOrProblem(file: ListFile, row: TableRow, lines: Map<string, number>): ListEntry | ListFileProblem {
  try {
    const entry = new PlainRow(file, row).entry();
    const before = lines.get(entry.id);
    if (before)
      return malformed(file, row, `The id ${entry.id} stands on line ${before} already. Give each row its own.`);
    lines.set(entry.id, row.line);
    return entry;
  } catch (error) {
    if (error instanceof ListFileProblem) return error;
    throw error;
  }
}

class PlainRow {
  constructor(
    private readonly file: ListFile,
    private readonly row: TableRow,
  ) {}

  entry(): ListEntry {
    const entry = newEntry(this.needed('id'), this.kind());
    addName(entry, this.needed('name'), 'primary');
    for (const alias of this.row.values('aliases')) addName(entry, alias, 'strong');
    for (const alias of this.row.values('weak_aliases')) addName(entry, alias, 'weak');
    for (const date of this.row.values('birth_date')) addBirthDates(entry, this.dates(date));
    for (const country of this.row.values('countries')) addOnce(entry.countries, this.country(country));
    for (const identifier of this.row.values('identifiers')) this.identifier(entry, identifier);
    for (const programme of this.row.values('programmes')) addOnce(entry.programmes, programme);
    const title = this.row.cell('role');
    const until = this.until();
    if (title) entry.role = until ? { title, until } : { title };
    return entry;
  }

  private needed(column: string): string {
    return this.row.cell(column) || this.refuse(`The cell ${column} is empty. Every row needs one.`);
  }

  private kind(): EntryKind {
    const word = this.row.cell('kind').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    return (
      KINDS.get(word) ??
      this.refuse(`The kind ${word} is unknown. Use person, organisation, vessel, aircraft or unknown.`)
    );
  }

  private dates(text: string): ListEntry['birthDates'] {
    const dates = birthDatesIn(text);
    return dates.length > 0
      ? dates
      : this.refuse(
          `The birth date ${text} cannot be read. Use 1970-12-31, 1970-12, 1970, "circa 1970" or "1970 to 1972".`,
        );
  }

  private until(): string | undefined {
    const text = this.row.cell('role_until');
    if (!text) return undefined;
    return this.dates(text)[0]?.to;
  }

  private country(text: string): string {
    return countryCode(text) || this.refuse(`The country ${text} is unknown. Use its ISO 3166-1 code of two letters.`);
  }

  /** `TYPE:NUMBER` or `TYPE:COUNTRY:NUMBER`. */
  private identifier(entry: ListEntry, text: string): void {
    const [type = '', ...rest] = text.split(':').map((part) => part.trim());
    const number = rest.pop();
    if (!type || !number || rest.length > 1) {
      this.refuse(
        `The identifier ${text} cannot be read. Write TYPE:NUMBER or TYPE:COUNTRY:NUMBER, for example CC:CO:1234567.`,
      );
    }
    const country = rest[0] ? this.country(rest[0]) : undefined;
    addIdentifier(entry, identifierType(type, country), number, country);
  }

  private refuse(detail: string): never {
    throw malformed(this.file, this.row, detail);
  }
}

function malformed(file: ListFile, row: TableRow, detail: string): ListFileProblem {
  return new ListFileProblem('malformed', detail, { file: file.name, line: row.line });
}
