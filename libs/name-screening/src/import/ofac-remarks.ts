import type { ListEntry } from '../entry.ts';
import { birthDatesIn } from './birth-dates.ts';
import { addBirthDates, addIdentifier, addName, addOnce, givenFirst } from './entry-parts.ts';
import { identifierType } from './identifier-type.ts';
import type { Reading } from './reading.ts';

/** What OFAC calls identity documents and registrations in its remarks. Longer names before their beginnings. */
const DOCUMENTS = [
  'Cedula de Extranjeria',
  'Cedula de Residencia',
  'Cedula de Ciudadania',
  'Cedula No.',
  'Tarjeta de Identidad',
  'NIT #',
  'Diplomatic Passport',
  'Stateless Person Passport',
  'Passport',
  'National ID No.',
  'National Foreign ID Number',
  'Tax ID No.',
  'RUC #',
  'RIF #',
  'RTN',
  'SSN',
  'C.U.R.P.',
  'R.F.C.',
  'C.U.I.T.',
  'C.U.I.P.',
  'C.U.I.',
  'C.I.F.',
  'C.I.N.',
  'D.N.I.',
  'N.I.E.',
  'N.I.F.',
  'CNP (Personal Numerical Code)',
  'Personal ID Card',
  'Identification Number',
  'Residency Number',
  'Refugee ID Card',
  'Kenyan ID No.',
  'Moroccan Personal ID No.',
  'Bosnian Personal ID No.',
  'Turkish Identification Number',
  'Italian Fiscal Code',
  'Numero de Identidad',
  'Electoral Registry No.',
  'Credencial electoral',
  'Voter Identification Card No.',
  'Cartilla de Servicio Militar Nacional',
  "Driver's License No.",
  'Birth Certificate Number',
  'Registration ID',
  'Registration Number',
  'Public Registration Number',
  'Company Number',
  'Commercial Registry Number',
  'Business Registration Number',
  'Business Registration Document #',
  'Business Number',
  'Enterprise Number',
  'Matricula Mercantil No',
  'Folio Mercantil No.',
  'Chinese Commercial Code',
  'Unified Social Credit Code (USCC)',
  'Government Gazette Number',
  'Central Registration Number',
  'Trade License No.',
  'C.R. No.',
  'License',
  'V.A.T. Number',
  'Fiscal Code',
  'Legal Entity Number',
  'D-U-N-S Number',
  'Istanbul Chamber of Comm. No.',
  'SWIFT/BIC',
  'BIK (RU)',
  'MMSI',
  'Vessel Registration Identification',
  'Aircraft Tail Number',
  "Aircraft Manufacturer's Serial Number (MSN)",
];
const DOCUMENT = new RegExp(`^(${DOCUMENTS.map((name) => name.replace(/[.()#/]/g, '\\$&')).join('|')}) (.+)$`);
/** In characters, of what follows the kind of a document. */
const LONGEST = 300;
/** A number, the country that issued it, and what else is said about it. */
const NUMBER = /^(.*?)(?:\s*\(([^()]*)\))?(?:[,\s]+(?:issued|expires|expired|valid|effective|type)\b.*)?$/i;
const ALIAS = /^(?:a|f|n)\.k\.a\.,? ["'](.+?)["']?$/;
const COUNTRY = /^(?:nationality|citizen|Nationality of Registration) (.+)$/;
/** Colombian kinds that OFAC writes into the number of a "Cedula No.". */
const CEDULA_PREFIX: [prefix: RegExp, word: string][] = [
  [/^T\.?\s?I\.?\s*/, 'Tarjeta de Identidad'],
  [/^E(?=\d)/, 'Cedula de Extranjeria'],
];

/**
 * Reads OFAC's remarks into the entry: birth dates (`DOB circa 1962`, `alt. DOB …`), aliases in quotes (OFAC's weak ones:
 * broad or generic), nationalities, and identity documents (`Cedula No. 1 (Colombia)`, `NIT # …`, `Passport …`).
 */
export function readRemarks(reading: Reading, entry: ListEntry, remarks: string): void {
  for (const part of remarks.replace(/\.\s*$/, '').split(/;\s*(?=[^\s])/)) {
    readRemark(reading, entry, part.trim().replace(/^alt\. /, ''));
  }
}

function readRemark(reading: Reading, entry: ListEntry, remark: string): void {
  if (remark.startsWith('DOB ')) {
    addBirthDates(entry, reading.dates(remark, birthDatesIn(remark.slice(4).replace(/\.$/, ''))));
    return;
  }
  const alias = ALIAS.exec(remark)?.[1];
  if (alias) {
    addName(entry, entry.kind === 'person' ? givenFirst(alias) : alias, 'weak');
    return;
  }
  const country = COUNTRY.exec(remark)?.[1];
  if (country) {
    addOnce(entry.countries, reading.country(country));
    return;
  }
  const [, document, rest] = DOCUMENT.exec(remark) ?? [];
  if (document && rest && rest.length <= LONGEST) readDocument(reading, entry, document, rest);
}

function readDocument(reading: Reading, entry: ListEntry, document: string, rest: string): void {
  const [, number = '', place] = NUMBER.exec(rest) ?? [];
  const country = place ? reading.country(place) : undefined;
  // "Passport issued 21 Jun 1992", "NIT # Provisional": a document without a number.
  if (/^(issued|expires|provisional)\b/i.test(number)) return;
  const prefix = document === 'Cedula No.' && country === 'CO' && CEDULA_PREFIX.find(([form]) => form.test(number));
  if (prefix) addIdentifier(entry, identifierType(prefix[1], country), number.replace(prefix[0], ''), country);
  else addIdentifier(entry, identifierType(document.replace(/ #$/, ''), country), number, country);
}
