import { ageOn, isDay } from '@constancia/kernel';
import type { CheckDigits, DocumentKind } from '../document-reader.ts';
import { countryOf } from './issuers.ts';
import { LAYOUTS, checkedDigits, formatOf, longNumber, textOf } from './layout.ts';
import type { MrzFormat } from './layout.ts';

/** A machine readable zone, read. Names in its alphabet, upper case; dates `YYYY-MM-DD` or null when they are no days. */
export interface MrzRecord {
  format: MrzFormat;
  kind: DocumentKind | null;
  code: string;
  /** As countryOf returns it. */
  issuer: string;
  nationality: string;
  documentNumber: string;
  surnames: string;
  givenNames: string;
  birthDate: string | null;
  expiryDate: string | null;
  sex: 'M' | 'F' | 'X';
  /** What the issuer put in the optional data, without filler. The digital cédula keeps the NUIP there. */
  optional: string;
  optional2: string;
  checkDigits: CheckDigits;
}

/**
 * Reads the lines of an MRZ: TD1 (3 × 30), TD2 (2 × 36) or TD3 (2 × 44), ICAO 9303. Null for lines of another shape; wrong
 * check digits do not stop it, they are reported. `day` (`YYYY-MM-DD`) settles centuries: births lie before it, expiries up
 * to fifty years after or before.
 */
export function parseMrz(lines: readonly string[], day: string): MrzRecord | null {
  const format = formatOf(lines);
  if (format === null || lines.some((line) => !/^[A-Z0-9<]+$/.test(line))) return null;
  const { fields, optional2 } = LAYOUTS[format];
  const text = (name: keyof typeof fields) => textOf(lines, fields[name]);
  const [surnames, givenNames] = namesOf(text('names'));
  const long = longNumber(lines, format);
  const record = {
    format,
    code: text('code').replace(/<+$/, ''),
    issuer: countryOf(text('issuer')),
    nationality: countryOf(text('nationality')),
    documentNumber: (long?.number ?? text('number')).replaceAll('<', ''),
    surnames,
    givenNames,
    birthDate: bornOn(text('birth'), day),
    expiryDate: expiresOn(text('expiry'), day),
    sex: sexOf(text('sex')),
    optional: withoutFiller(text('optional')),
    optional2: optional2 && !long ? withoutFiller(textOf(lines, optional2)) : '',
    checkDigits: checkedDigits(lines, format),
  };
  return { ...record, kind: kindOf(record) };
}

const withoutFiller = (text: string): string => text.replace(/<+/g, ' ').trim();
const sexOf = (cell: string): 'M' | 'F' | 'X' => (cell === 'M' || cell === 'F' ? cell : 'X');

/** Surnames and given names: two fillers stand between them, one inside each. */
function namesOf(text: string): [string, string] {
  const [surnames = '', ...given] = text.replace(/<+$/, '').split('<<');
  return [withoutFiller(surnames), withoutFiller(given.join('<'))];
}

/** Colombian cards say what they are by code and nationality; a PPT cannot be distinguished from a CE and is settled by what was expected. */
function kindOf({
  format,
  code,
  issuer,
  nationality,
}: Pick<MrzRecord, 'format' | 'code' | 'issuer' | 'nationality'>): DocumentKind | null {
  if (format === 'TD3') return code.startsWith('P') ? 'passport' : null;
  if (issuer !== 'CO' || format !== 'TD1') return null;
  if (code === 'IC' || (code.startsWith('I') && nationality === 'CO')) return 'cc_digital';
  return nationality === 'CO' ? null : 'ce';
}

function dayIn(century: number, yymmdd: string): string | null {
  const parts = /^(\d\d)(\d\d)(\d\d)$/.exec(yymmdd);
  if (!parts) return null;
  const day = `${century}${parts[1]}-${parts[2]}-${parts[3]}`;
  return isDay(day) ? day : null;
}

function bornOn(yymmdd: string, day: string): string | null {
  const recent = dayIn(20, yymmdd);
  if (recent !== null && recent <= day) return recent;
  const earlier = dayIn(19, yymmdd);
  return earlier !== null && ageOn(earlier, day) <= 120 ? earlier : null;
}

function expiresOn(yymmdd: string, day: string): string | null {
  const soon = dayIn(20, yymmdd);
  if (soon !== null && Number(soon.slice(0, 4)) <= Number(day.slice(0, 4)) + 50) return soon;
  return dayIn(19, yymmdd) ?? soon;
}
