import type { BirthDate, ListEntry } from '../entry.ts';
import { birthDatesIn, birthSpan } from './birth-dates.ts';
import { addBirthDates, addIdentifier, addName, addOnce, newEntry } from './entry-parts.ts';
import { identifierType } from './identifier-type.ts';
import type { Reading } from './reading.ts';
import { XmlElement, xmlElements } from './xml-elements.ts';

const RECORDS = new Set(['INDIVIDUAL', 'ENTITY']);
const NAME_PARTS = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME', 'FIFTH_NAME', 'SIXTH_NAME'];

/** The consolidated list of the UN Security Council as XML (root CONSOLIDATED_LIST). */
export async function* unEntries(reading: Reading): AsyncGenerator<ListEntry> {
  for (const file of reading.files) {
    const shape = {
      root: 'CONSOLIDATED_LIST',
      records: RECORDS,
      onRoot: (root: XmlElement) => reading.publishedAt(root.attribute('dateGenerated')),
    };
    for await (const element of xmlElements(reading, file, shape)) {
      reading.count(element.name);
      yield element.name === 'INDIVIDUAL' ? individual(reading, element) : entity(reading, element);
    }
  }
}

function individual(reading: Reading, element: XmlElement): ListEntry {
  const entry = begin(reading, element, 'INDIVIDUAL');
  for (const alias of element.all('INDIVIDUAL_ALIAS')) {
    const born = alias.textOf('DATE_OF_BIRTH');
    if (born) addBirthDates(entry, reading.dates(born, birthDatesIn(born)));
  }
  for (const nationality of element.first('NATIONALITY')?.all('VALUE') ?? []) {
    // The UN writes "na" for not available; elsewhere it is Namibia's code.
    if (nationality.text.trim() !== 'na') addOnce(entry.countries, reading.country(nationality.text));
  }
  for (const date of element.all('INDIVIDUAL_DATE_OF_BIRTH')) addBirthDates(entry, birthDates(reading, date));
  for (const document of element.all('INDIVIDUAL_DOCUMENT')) readDocument(reading, entry, document);
  addresses(reading, entry, element, 'INDIVIDUAL_ADDRESS');
  return entry;
}

function entity(reading: Reading, element: XmlElement): ListEntry {
  const entry = begin(reading, element, 'ENTITY');
  addresses(reading, entry, element, 'ENTITY_ADDRESS');
  return entry;
}

/** What individuals and entities share: id, names, aliases, the sanctions regime. */
function begin(reading: Reading, element: XmlElement, prefix: 'INDIVIDUAL' | 'ENTITY'): ListEntry {
  const id = element.textOf('REFERENCE_NUMBER') || element.textOf('DATAID');
  const entry = newEntry(id, prefix === 'ENTITY' ? 'organisation' : 'person');
  const [name = '', ...others] = severalNames(NAME_PARTS.map((part) => element.textOf(part)).join(' '));
  addName(entry, name, 'primary');
  for (const other of others) addName(entry, other, 'strong');
  addName(entry, element.textOf('NAME_ORIGINAL_SCRIPT'), entry.names.length === 0 ? 'primary' : 'strong');
  for (const alias of element.all(`${prefix}_ALIAS`)) {
    const quality = alias.textOf('QUALITY').toLowerCase() === 'low' ? 'weak' : 'strong';
    reading.count(`${prefix}_ALIAS`);
    for (const name of severalNames(alias.textOf('ALIAS_NAME'))) addName(entry, name, quality);
  }
  addOnce(entry.programmes, element.textOf('UN_LIST_TYPE'));
  return entry;
}

/** One element may hold several names, and a word about them. */
function severalNames(text: string): string[] {
  return text.replace(/\((?:previously|formerly) listed as\)/gi, '').split(/;|\s[b-h]\)\s/);
}

function birthDates(reading: Reading, element: XmlElement): BirthDate[] {
  const type = element.textOf('TYPE_OF_DATE');
  const note = element.textOf('NOTE');
  const circa = type === 'APPROXIMATELY' || /approx|circa/i.test(note);
  const year = Number(element.textOf('YEAR'));
  const from = birthSpan(Number(element.textOf('FROM_YEAR')) || year);
  const to = birthSpan(Number(element.textOf('TO_YEAR')) || year);
  const date = element.textOf('DATE');
  if (date) return reading.dates(date, birthDatesIn(date)).map((born) => ({ ...born, circa }));
  if (from && to && from.from <= to.to) return [{ from: from.from, to: to.to, circa }];
  // A few elements hold nothing, or the date in words.
  return note ? reading.dates(note, birthDatesIn(note)).map((born) => ({ ...born, circa: circa || born.circa })) : [];
}

function readDocument(reading: Reading, entry: ListEntry, document: XmlElement): void {
  const number = document.textOf('NUMBER');
  if (!number) return;
  const country = reading.country(document.textOf('ISSUING_COUNTRY') || document.textOf('COUNTRY_OF_ISSUE'));
  const word = document.textOf('TYPE_OF_DOCUMENT') || document.textOf('TYPE_OF_DOCUMENT2');
  addIdentifier(entry, identifierType(word, country), number, country);
}

function addresses(reading: Reading, entry: ListEntry, element: XmlElement, name: string): void {
  for (const address of element.all(name)) addOnce(entry.countries, reading.country(address.textOf('COUNTRY')));
}
