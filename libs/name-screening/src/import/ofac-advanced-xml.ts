import type { EntryKind, EntryName, ListEntry } from '../entry.ts';
import { birthSpan } from './birth-dates.ts';
import { addBirthDates, addIdentifier, addName, addOnce, newEntry } from './entry-parts.ts';
import { identifierType } from './identifier-type.ts';
import { OfacReferences } from './ofac-references.ts';
import type { Reading } from './reading.ts';
import { XmlElement, xmlElements } from './xml-elements.ts';

const RECORDS = new Set([
  'DateOfIssue',
  'ReferenceValueSets',
  'Location',
  'IDRegDocument',
  'DistinctParty',
  'SanctionsEntry',
]);
/** Order in which the parts of a name are read out. OFAC stores them surname first. */
const PART_ORDER = ['First Name', 'Middle Name', 'Patronymic', 'Last Name', 'Matronymic', 'Maiden Name', 'Nickname'];
const COUNTRY_FEATURES = /^(nationality|citizenship) country$|^nationality of registration$|^vessel flag$|^location$/i;
/** Registrations that OFAC keeps as features of a party, not among its documents. */
const NUMBER_FEATURES = /^(swift\/bic|mmsi|bik \(ru\)|d-u-n-s number|vessel call sign|aircraft tail number)$/i;

/** What one party needs and other parts of the file hold, by the file's own ids. */
interface Joined {
  references: OfacReferences;
  entries: Map<string, ListEntry>;
  /** Entry by Identity ID and by Profile ID. */
  byIdentity: Map<string, ListEntry>;
  byProfile: Map<string, ListEntry>;
  documents: Map<string, XmlElement[]>;
}

/**
 * OFAC's advanced XML (sdn_advanced.xml, cons_advanced.xml; root Sanctions). The programmes come after the parties, so the
 * entries are handed out at the end; until then memory holds the entries, never the file.
 */
export async function* ofacAdvancedEntries(reading: Reading): AsyncGenerator<ListEntry> {
  for (const file of reading.files) {
    const joined: Joined = {
      references: new OfacReferences(reading),
      entries: new Map(),
      byIdentity: new Map(),
      byProfile: new Map(),
      documents: new Map(),
    };
    for await (const element of xmlElements(reading, file, { root: 'Sanctions', records: RECORDS })) {
      reading.count(element.name);
      TAKE[element.name]?.(reading, joined, element);
    }
    yield* joined.entries.values();
  }
}

const TAKE: Record<string, (reading: Reading, joined: Joined, element: XmlElement) => void> = {
  DateOfIssue: (reading, _, element) => reading.publishedAt(dayOf(element)?.from),
  ReferenceValueSets: (_, joined, element) => joined.references.takeSets(element),
  Location: (_, joined, element) => joined.references.takeLocation(element),
  IDRegDocument: takeDocument,
  DistinctParty: takeParty,
  SanctionsEntry: takeSanctions,
};

/** Documents stand before the parties that hold them; a later one finds its entry. */
function takeDocument(reading: Reading, joined: Joined, element: XmlElement): void {
  const identity = element.attribute('IdentityID');
  const entry = joined.byIdentity.get(identity);
  if (entry) return addDocument(reading, joined, entry, element);
  const waiting = joined.documents.get(identity);
  if (waiting) waiting.push(element);
  else joined.documents.set(identity, [element]);
}

function addDocument(reading: Reading, joined: Joined, entry: ListEntry, element: XmlElement): void {
  const country = joined.references.country(element.attribute('IssuedBy-CountryID'));
  const word = joined.references.text('IDRegDocType', element.attribute('IDRegDocTypeID')).replace(/ #$/, '');
  addIdentifier(entry, identifierType(word, country), element.textOf('IDRegistrationNo'), country);
}

function takeParty(reading: Reading, joined: Joined, element: XmlElement): void {
  for (const profile of element.all('Profile')) {
    const id = element.attribute('FixedRef') || profile.attribute('ID');
    const entry = newEntry(id, kindOf(joined.references, profile));
    joined.entries.set(profile.attribute('ID') || id, entry);
    joined.byProfile.set(profile.attribute('ID'), entry);
    for (const identity of profile.all('Identity')) {
      if (identity.attribute('False') === 'true') continue;
      joined.byIdentity.set(identity.attribute('ID'), entry);
      readNames(joined.references, entry, identity);
      for (const document of joined.documents.get(identity.attribute('ID')) ?? []) {
        addDocument(reading, joined, entry, document);
      }
      joined.documents.delete(identity.attribute('ID'));
    }
    for (const feature of profile.all('Feature')) readFeature(joined.references, entry, feature);
  }
}

function kindOf(references: OfacReferences, profile: XmlElement): EntryKind {
  const { type, subType } = references.partyType(profile.attribute('PartySubTypeID'));
  if (type === 'Individual') return 'person';
  if (type === 'Entity') return 'organisation';
  if (subType === 'Vessel') return 'vessel';
  return subType === 'Aircraft' ? 'aircraft' : 'unknown';
}

function readNames(references: OfacReferences, entry: ListEntry, identity: XmlElement): void {
  const partTypes = new Map<string, string>();
  for (const group of identity.first('NamePartGroups')?.all('MasterNamePartGroup') ?? []) {
    for (const part of group.all('NamePartGroup')) {
      partTypes.set(part.attribute('ID'), references.text('NamePartType', part.attribute('NamePartTypeID')));
    }
  }
  const aliases = identity.all('Alias');
  // The primary alias first, whatever the order of the file.
  for (const alias of [...aliases.filter(isPrimary), ...aliases.filter((other) => !isPrimary(other))]) {
    for (const name of alias.all('DocumentedName')) addName(entry, inOrder(name, partTypes), quality(entry, alias));
  }
}

function isPrimary(alias: XmlElement): boolean {
  return alias.attribute('Primary') === 'true';
}

function quality(entry: ListEntry, alias: XmlElement): EntryName['quality'] {
  if (alias.attribute('LowQuality') === 'true') return 'weak';
  return isPrimary(alias) && entry.names.length === 0 ? 'primary' : 'strong';
}

function inOrder(name: XmlElement, partTypes: Map<string, string>): string {
  const rank = (part: XmlElement) => {
    const at = PART_ORDER.indexOf(partTypes.get(part.attribute('NamePartGroupID')) ?? '');
    return at === -1 ? PART_ORDER.length : at;
  };
  const parts = name.all('DocumentedNamePart').flatMap((part) => part.all('NamePartValue'));
  return parts
    .sort((one, other) => rank(one) - rank(other))
    .map((part) => part.text.trim())
    .join(' ');
}

function readFeature(references: OfacReferences, entry: ListEntry, feature: XmlElement): void {
  const type = references.text('FeatureType', feature.attribute('FeatureTypeID'));
  for (const version of feature.all('FeatureVersion')) {
    if (type === 'Birthdate') addBirthDates(entry, version.all('DatePeriod').flatMap(birthDate));
    else if (COUNTRY_FEATURES.test(type)) {
      for (const place of version.all('VersionLocation')) {
        addOnce(entry.countries, references.countryOfLocation(place.attribute('LocationID')));
      }
    } else if (NUMBER_FEATURES.test(type)) addIdentifier(entry, type, version.textOf('VersionDetail'));
  }
}

function birthDate(period: XmlElement): ListEntry['birthDates'] {
  const start = period.first('Start');
  const end = period.first('End') ?? start;
  const from = start && dayOf(start.first('From'));
  const to = end && dayOf(end.first('To') ?? end.first('From'));
  if (!from || !to || from.from > to.to) return [];
  const circa = [start, end].some((side) => side?.attribute('Approximate') === 'true');
  return [{ from: from.from, to: to.to, circa }];
}

function dayOf(element: XmlElement | undefined): { from: string; to: string } | undefined {
  const number = (name: string) => Number(element?.textOf(name)) || 0;
  return birthSpan(number('Year'), number('Month'), number('Day'));
}

function takeSanctions(_: Reading, joined: Joined, element: XmlElement): void {
  const entry = joined.byProfile.get(element.attribute('ProfileID'));
  if (!entry) return;
  for (const measure of element.all('SanctionsMeasure')) {
    const type = joined.references.text('SanctionsType', measure.attribute('SanctionsTypeID'));
    if (type === 'Program') addOnce(entry.programmes, measure.textOf('Comment'));
  }
}
