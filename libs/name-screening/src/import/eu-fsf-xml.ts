import type { EntryKind, ListEntry } from '../entry.ts';
import { birthDatesIn, birthSpan } from './birth-dates.ts';
import { addBirthDates, addIdentifier, addName, addOnce, newEntry } from './entry-parts.ts';
import { identifierType } from './identifier-type.ts';
import type { Reading } from './reading.ts';
import { XmlElement, xmlElements } from './xml-elements.ts';

const RECORDS = new Set(['sanctionEntity']);
const KINDS = new Map<string, EntryKind>(
  Object.entries({
    person: 'person',
    p: 'person',
    enterprise: 'organisation',
    e: 'organisation',
  }),
);

/**
 * The EU's consolidated list of financial sanctions (FSF) as XML: root export, namespace eu.europa.ec/fpi/fsd/export. One
 * entity carries an alias per language of the Union; the same spelling twice is one name.
 */
export async function* fsfEntries(reading: Reading): AsyncGenerator<ListEntry> {
  for (const file of reading.files) {
    const shape = {
      root: 'export',
      records: RECORDS,
      onRoot: (root: XmlElement) => reading.publishedAt(root.attribute('generationDate')),
    };
    for await (const element of xmlElements(reading, file, shape)) {
      reading.count(element.name);
      yield entryOf(reading, element);
    }
  }
}

function entryOf(reading: Reading, element: XmlElement): ListEntry {
  const subject = element.first('subjectType');
  const code = subject?.attribute('code') || subject?.attribute('classificationCode') || '';
  const entry = newEntry(
    element.attribute('euReferenceNumber') || element.attribute('logicalId'),
    KINDS.get(code.toLowerCase()) ?? 'unknown',
  );
  readNames(reading, entry, element);
  for (const regulation of element.all('regulation')) addOnce(entry.programmes, regulation.attribute('programme'));
  for (const citizenship of element.all('citizenship')) addOnce(entry.countries, countryOf(reading, citizenship));
  for (const address of element.all('address')) addOnce(entry.countries, countryOf(reading, address));
  for (const date of element.all('birthdate')) readBirthDate(reading, entry, date);
  for (const document of element.all('identification')) {
    const word = document.attribute('identificationTypeDescription') || document.attribute('identificationTypeCode');
    const country = countryOf(reading, document);
    const type = document.attribute('identificationTypeCode') === 'passport' ? 'PA' : identifierType(word, country);
    addIdentifier(entry, type, document.attribute('number') || document.attribute('latinNumber'), country);
  }
  return entry;
}

/** The primary name is the first strong one, as published. */
function readNames(reading: Reading, entry: ListEntry, element: XmlElement): void {
  const aliases = element.all('nameAlias');
  const primary = aliases.find((alias) => isStrong(alias) && wholeName(alias)) ?? aliases.find(wholeName);
  if (primary) addName(entry, wholeName(primary), 'primary');
  for (const alias of aliases) {
    reading.count('nameAlias');
    addName(entry, wholeName(alias), isStrong(alias) ? 'strong' : 'weak');
  }
}

function wholeName(alias: XmlElement): string {
  return (
    alias.attribute('wholeName') ||
    ['firstName', 'middleName', 'lastName']
      .map((part) => alias.attribute(part))
      .join(' ')
      .trim()
  );
}

function isStrong(alias: XmlElement): boolean {
  return alias.attribute('strong') !== 'false';
}

function readBirthDate(reading: Reading, entry: ListEntry, element: XmlElement): void {
  const number = (name: string) => Number(element.attribute(name)) || 0;
  const circa = element.attribute('circa') === 'true';
  const day = element.attribute('birthdate');
  const [exact] = day ? reading.dates(day, birthDatesIn(day)) : [];
  const year = number('year');
  const from = birthSpan(number('yearRangeFrom') || year, number('monthOfYear'), number('dayOfMonth'));
  const to = birthSpan(number('yearRangeTo') || year, number('monthOfYear'), number('dayOfMonth'));
  const span = exact ?? (from && to && from.from <= to.to ? { from: from.from, to: to.to } : undefined);
  if (span) addBirthDates(entry, [{ from: span.from, to: span.to, circa }]);
  // A birthdate element may tell the country of birth only; that is no date to be read.
}

function countryOf(reading: Reading, element: XmlElement): string | undefined {
  return reading.country(element.attribute('countryIso2Code'));
}
