import type { ListEntry } from '../entry.ts';
import { birthDatesIn } from './birth-dates.ts';
import { addBirthDates, addIdentifier, addName, addOnce, givenFirst, newEntry } from './entry-parts.ts';
import { FtmLinks } from './ftm-links.ts';
import { kindOfSchema } from './ftm-schema.ts';
import { identifierType } from './identifier-type.ts';
import { isObject, jsonLines, texts, type JsonObject } from './json-lines.ts';
import { ListFileProblem } from './list-file-problem.ts';
import type { Reading } from './reading.ts';

const COUNTRIES = ['nationality', 'citizenship', 'country', 'jurisdiction', 'flag'];
/** Identifying properties and the word for each; `national` and `tax` are Colombian documents in Colombia. */
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
 * FollowTheMoney entities, one JSON object per line (OpenSanctions' entities.ftm.json), and delta files of them, whose lines
 * say ADD, MOD or DEL. Several files are applied in the order given: a list, then its deltas. What is no subject of a
 * screening (addresses, ownerships…) and what the file says is no target is counted as skipped; sanctions, passports and
 * occupancies are joined to the entities that they speak of, so entries are handed out at the end.
 */
export async function* ftmEntries(reading: Reading): AsyncGenerator<ListEntry> {
  const entries = new Map<string, ListEntry>();
  const removed = new Set<string>();
  const links = new FtmLinks(reading);
  for (const file of reading.files) {
    let line = 0;
    for await (const object of jsonLines(reading, file)) {
      line += 1;
      const { op, entity } = operationOf(object, { file: file.name, line });
      const id = String(entity.id);
      if (op === 'DEL') {
        entries.delete(id);
        removed.add(id);
        continue;
      }
      removed.delete(id);
      const entry = take(reading, links, entity);
      if (entry) entries.set(id, entry);
      else entries.delete(id);
    }
  }
  for (const entry of entries.values()) links.join(entry);
  reading.removed.push(...removed);
  yield* entries.values();
}

function operationOf(object: JsonObject, place: { file: string; line: number }): { op: string; entity: JsonObject } {
  const op = 'op' in object ? object.op : 'ADD';
  const entity = 'op' in object ? object.entity : object;
  if (!isObject(entity) || typeof entity.id !== 'string') {
    throw new ListFileProblem('wrong_format', 'The line is no FollowTheMoney entity: it has no id.', place);
  }
  if (op !== 'ADD' && op !== 'MOD' && op !== 'DEL') {
    throw new ListFileProblem('malformed', `The line has the operation ${String(op)}, not ADD, MOD or DEL.`, place);
  }
  return { op, entity };
}

function take(reading: Reading, links: FtmLinks, entity: JsonObject): ListEntry | undefined {
  const schema = String(entity.schema);
  const properties = isObject(entity.properties) ? entity.properties : {};
  reading.count(schema);
  reading.publishedAt(texts(entity.last_seen)[0]);
  const kind = kindOfSchema(schema);
  if (links.take(String(entity.id), schema, properties)) return undefined;
  if (!kind || entity.target === false) {
    reading.warn('skipped_record', `${schema} ${String(entity.id)}`);
    return undefined;
  }
  const entry = newEntry(String(entity.id), kind);
  readNames(entry, entity, properties);
  for (const date of texts(properties.birthDate)) addBirthDates(entry, reading.dates(date, birthDatesIn(date)));
  for (const property of COUNTRIES) {
    for (const country of texts(properties[property])) addOnce(entry.countries, reading.country(country));
  }
  readNumbers(entry, properties);
  for (const programme of texts(properties.programId)) addOnce(entry.programmes, programme);
  const [position] = texts(properties.position);
  if (position) entry.role = { title: position };
  return entry;
}

/** The caption is the name that the publisher chose among the names. */
function readNames(entry: ListEntry, entity: JsonObject, properties: JsonObject): void {
  const names = texts(properties.name);
  const [caption = names[0] ?? ''] = texts(entity.caption);
  const inOrder = (name: string) => (entry.kind === 'person' ? givenFirst(name) : name);
  const parts = ['firstName', 'lastName'].map((part) => texts(properties[part])[0] ?? '').join(' ');
  addName(entry, inOrder(names.includes(caption) ? caption : (names[0] ?? parts)), 'primary');
  for (const name of names) addName(entry, inOrder(name), 'strong');
  for (const name of texts(properties.alias)) addName(entry, inOrder(name), 'strong');
  for (const name of texts(properties.previousName)) addName(entry, inOrder(name), 'strong');
  for (const name of texts(properties.weakAlias)) addName(entry, inOrder(name), 'weak');
}

function readNumbers(entry: ListEntry, properties: JsonObject): void {
  const country = entry.countries.length === 1 ? entry.countries[0] : undefined;
  for (const [property, word] of Object.entries(NUMBERS)) {
    for (const number of texts(properties[property]))
      addIdentifier(entry, colombian(entry, word, country), number, country);
  }
}

function colombian(entry: ListEntry, word: string, country: string | undefined): string {
  if (country === 'CO' && word === 'Tax ID') return 'NIT';
  if (country === 'CO' && word === 'National ID' && entry.kind === 'person') return 'CC';
  return identifierType(word, country);
}
