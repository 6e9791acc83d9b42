import type { EntryKind, ListEntry } from '../entry.ts';
import { csvRows } from './csv-rows.ts';
import { addName, addOnce, givenFirst, newEntry } from './entry-parts.ts';
import { ListFileProblem } from './list-file-problem.ts';
import { OFAC_PARTS, type ListFile } from './list-source.ts';
import { readRemarks } from './ofac-remarks.ts';
import type { Reading } from './reading.ts';

/** Columns: ent_num, name, type, program, title, call sign, vessel type, tonnage, GRT, flag, owner, remarks. */
const PRIMARY_COLUMNS = 12;
/** Columns: ent_num, alt_num, alt_type, alt_name, alt_remarks. */
const ALIAS_COLUMNS = 5;
/** Columns: ent_num, add_num, address, city and so on, country, remarks. */
const ADDRESS_COLUMNS = 6;
/** Columns: ent_num, the rest of the remarks. */
const COMMENT_COLUMNS = 2;
const KINDS = new Map<string, EntryKind>(
  Object.entries({
    individual: 'person',
    vessel: 'vessel',
    aircraft: 'aircraft',
    '': 'organisation',
  }),
);

/** Without them the list would lose names, and nobody would notice. */
const BESIDE = {
  aliases: 'aliases (alt.csv)',
  addresses: 'addresses (add.csv)',
  comments: 'comments (sdn_comments.csv)',
} as const;

interface Beside {
  aliases: Map<string, string[]>;
  countries: Map<string, string[]>;
  comments: Map<string, string>;
}

/**
 * OFAC's SDN list, or its consolidated non-SDN list, as the set of CSV files without headers that OFAC publishes. The rows
 * of alt, add and comments are joined to their entries; those without one are noted, and with `keepOrphans` an alias row
 * without its entry becomes an entry of its own.
 */
export async function* ofacCsvEntries(reading: Reading): AsyncGenerator<ListEntry> {
  const primary = part(reading, 'primary');
  if (!primary) {
    throw new ListFileProblem(
      'missing_file',
      'OFAC needs its sdn.csv (or cons_prim.csv), with alt.csv, add.csv and sdn_comments.csv beside it.',
      { file: reading.files[0]?.name },
    );
  }
  const missing = Object.entries(BESIDE).filter(([name]) => !part(reading, name as keyof typeof BESIDE));
  if (missing.length > 0) {
    throw new ListFileProblem(
      'missing_file',
      `The OFAC set is not whole: the ${missing.map(([, what]) => what).join(', the ')} must be beside it.`,
      { file: primary.name },
    );
  }
  const beside = await readBeside(reading);
  for await (const { cells, line } of csvRows(reading, primary, { columns: PRIMARY_COLUMNS })) {
    if (!/^\d+$/.test(cells[0] ?? '')) {
      throw new ListFileProblem('wrong_format', 'The row does not begin with an entity number: this is no OFAC list.', {
        file: primary.name,
        line,
      });
    }
    reading.count(primary.name);
    yield entryOf(reading, cells.map(known), beside);
  }
  yield* orphans(reading, beside);
}

function entryOf(reading: Reading, cells: string[], beside: Beside): ListEntry {
  const [id = '', name = '', type = '', programmes = ''] = cells;
  const [flag = '', , remarks = ''] = cells.slice(9);
  const entry = newEntry(id, KINDS.get(type.toLowerCase()) ?? 'unknown');
  addName(entry, inOrder(entry, name), 'primary');
  for (const alias of beside.aliases.get(id) ?? []) addName(entry, inOrder(entry, alias), 'strong');
  for (const programme of programmes.split('] [')) addOnce(entry.programmes, programme.replace(/[[\]]/g, '').trim());
  readRemarks(reading, entry, remarks + (beside.comments.get(id) ?? ''));
  addOnce(entry.countries, reading.country(flag));
  for (const country of beside.countries.get(id) ?? []) addOnce(entry.countries, reading.country(country));
  beside.aliases.delete(id);
  beside.countries.delete(id);
  beside.comments.delete(id);
  return entry;
}

/** What no entry asked for. An address or a comment alone says nothing about a person; an alias is a name. */
function* orphans(reading: Reading, beside: Beside): Generator<ListEntry> {
  for (const [id, aliases] of beside.aliases) {
    for (const alias of aliases) reading.warn('orphan_row', `alias of ${id}: ${alias}`);
    if (!reading.keepOrphans) continue;
    const entry = newEntry(id, 'unknown');
    for (const alias of aliases) addName(entry, alias, entry.names.length === 0 ? 'primary' : 'strong');
    for (const country of beside.countries.get(id) ?? []) addOnce(entry.countries, reading.country(country));
    yield entry;
  }
  for (const [id, countries] of beside.countries) {
    if (!beside.aliases.has(id)) countries.forEach(() => reading.warn('orphan_row', `address of ${id}`));
  }
  for (const id of beside.comments.keys()) reading.warn('orphan_row', `comments of ${id}`);
}

async function readBeside(reading: Reading): Promise<Beside> {
  const beside: Beside = { aliases: new Map(), countries: new Map(), comments: new Map() };
  await eachRow(reading, 'aliases', ALIAS_COLUMNS, ([id = '', , , name = '']) => append(beside.aliases, id, name));
  await eachRow(reading, 'addresses', ADDRESS_COLUMNS, ([id = '', , , , country = '']) =>
    append(beside.countries, id, country),
  );
  await eachRow(reading, 'comments', COMMENT_COLUMNS, ([id = '', rest = '']) =>
    beside.comments.set(id, (beside.comments.get(id) ?? '') + rest),
  );
  return beside;
}

async function eachRow(
  reading: Reading,
  name: keyof typeof OFAC_PARTS,
  columns: number,
  take: (cells: string[]) => void,
): Promise<void> {
  const file = part(reading, name);
  if (!file) return;
  for await (const { cells } of csvRows(reading, file, { columns })) {
    reading.count(file.name);
    take(name === 'comments' ? cells : cells.map(known));
  }
}

function part(reading: Reading, name: keyof typeof OFAC_PARTS): ListFile | undefined {
  return reading.files.find((file) => OFAC_PARTS[name].test(file.name));
}

function append(map: Map<string, string[]>, id: string, value: string): void {
  const values = map.get(id);
  if (values) values.push(value);
  else map.set(id, [value]);
}

function inOrder(entry: ListEntry, name: string): string {
  return entry.kind === 'person' ? givenFirst(name) : name;
}

/** OFAC's null is `-0-`, mostly with a blank behind it. */
function known(cell: string): string {
  return cell.trim() === '-0-' ? '' : cell;
}
