import { isDay } from '@constancia/kernel/calendar';
import { DOCUMENT_TYPES, type DocumentType, isDocumentType } from './document-types.ts';
import { isCountry } from './iso.ts';

/** A number without what people write between its digits and letters (spaces, dots, hyphens, slashes), upper case. */
export function plainDocumentNumber(number: string): string {
  return number
    .normalize('NFKC')
    .replace(/[\s.,\-‐-―/'_]+/gu, '')
    .toUpperCase();
}

/** Weights of the tax authority's check digit, from the last digit leftwards (DIAN, Orden Administrativa 4 of 1989). */
const NIT_WEIGHTS = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71];

/** The check digit (0 to 9) of a NIT of 1 to 15 digits, given without it. */
export function nitCheckDigit(digits: string): number {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, nth) => total + Number(digit) * (NIT_WEIGHTS[nth] as number), 0);
  const rest = sum % 11;
  return rest > 1 ? 11 - rest : rest;
}

/**
 * Why a number cannot be of its document type, as an English sentence; null when it can. It says what is impossible, not
 * what is genuine. Colombian rules bind Colombian documents; CE and PPT are always Colombian, whatever the country says
 * (callers often give the holder's nationality). Other countries' documents: 3 to 20 letters and digits, passports as in
 * ICAO 9303.
 */
export const documentProblem = (type: string, country: string, number: string): string | null =>
  documentFault(type, country, number)?.detail ?? null;

/** The same with a stable word. */
export function documentFault(type: string, country: string, number: string): DocumentFault | null {
  const plain = plainDocumentNumber(number);
  const detail = formatProblem(type, country, plain);
  if (detail !== null) return { code: 'wrong_format', detail };
  return type === 'NIT' && country.toUpperCase() === 'CO' ? checkDigitFault(number, plain) : null;
}

function formatProblem(type: string, country: string, plain: string): string | null {
  if (plain === '') return 'The document number is empty.';
  if (!isDocumentType(type)) return `${type} is none of the document types ${DOCUMENT_TYPES.join(', ')}.`;
  if (type === 'PA') return passportProblem(country, plain);
  if (type === 'CE') return numberProblem(plain, 3, 8, 'A cédula de extranjería');
  if (type === 'PPT') return numberProblem(plain, 4, 11, 'A permiso por protección temporal');
  if (country.toUpperCase() !== 'CO')
    return /^[0-9A-Z]{3,20}$/.test(plain) ? null : 'A document number has 3 to 20 letters and digits.';
  if (type === 'CC') return cedulaProblem(plain);
  if (type === 'TI') return identityCardProblem(plain);
  return /^[1-9]\d{5,10}$/.test(plain) ? null : 'A NIT has 6 to 10 digits, and may end in its check digit.';
}

/** What a request can get wrong about a document, with the pointers of its members. */
export function documentErrors({ document_type, document_number, country }: DocumentMembers): DocumentError[] {
  const errors: DocumentError[] = [];
  if (!isCountry(country)) {
    errors.push({ pointer: '/country', code: 'not_allowed', detail: 'This is no assigned code of ISO 3166-1.' });
  }
  const problem = documentProblem(document_type, country, document_number);
  if (problem) errors.push({ pointer: '/document_number', code: 'wrong_format', detail: problem });
  return errors;
}

interface DocumentMembers {
  document_type: DocumentType;
  document_number: string;
  country: string;
}

interface DocumentFault {
  code: 'wrong_check_digit' | 'wrong_format';
  detail: string;
}

interface DocumentError {
  pointer: string;
  code: string;
  detail: string;
}

function numberProblem(plain: string, least: number, most: number, what: string): string | null {
  if (/^[1-9]\d*$/.test(plain) && plain.length >= least && plain.length <= most) return null;
  return `${what} has ${least} to ${most} digits and does not begin with 0.`;
}

function passportProblem(country: string, plain: string): string | null {
  const least = country.toUpperCase() === 'CO' ? 6 : 4;
  if (/^[0-9A-Z]+$/.test(plain) && /\d/.test(plain) && plain.length >= least && plain.length <= 9) return null;
  return `A passport number has ${least} to 9 letters and digits, at least one of them a digit.`;
}

/** Cédulas were numbered up to eight digits; since 2003 they carry the ten-digit NUIP, which begins with 1. */
function cedulaProblem(plain: string): string | null {
  if (/^[1-9]\d{2,7}$/.test(plain) || /^1\d{9}$/.test(plain)) return null;
  return 'A cédula de ciudadanía has 3 to 8 digits, or 10 that begin with 1.';
}

/** The ten-digit NUIP, or the older form: the birth date as YYMMDD and five digits. */
function identityCardProblem(plain: string): string | null {
  if (/^1\d{9}$/.test(plain)) return null;
  const born = /^(\d{2})(\d{2})(\d{2})\d{5}$/.exec(plain);
  // The century is not written; 2000 + YY and 1900 + YY differ only in 1900, which no card's holder was born in.
  if (born && isDay(`20${born[1]}-${born[2]}-${born[3]}`)) return null;
  return 'A tarjeta de identidad has 10 digits that begin with 1, or 11 that begin with the birth date (YYMMDD).';
}

/**
 * A NIT has nine digits (natural persons: those of their cédula) and a check digit, often left out. What stands after a
 * hyphen is the check digit; without one, ten digits that begin with 8 or 9 and eleven digits carry it at the end.
 */
function checkDigitFault(written: string, plain: string): DocumentFault | null {
  const apart = /[-‐-―]\s*\d$/u.test(written.trim());
  const joined = plain.length === 11 || (plain.length === 10 && /^[89]/.test(plain));
  if (!apart && !joined) return null;
  const [digits, given] = [plain.slice(0, -1), Number(plain.at(-1))];
  const right = nitCheckDigit(digits);
  if (given === right) return null;
  return { code: 'wrong_check_digit', detail: `The check digit of NIT ${digits} is ${right}, not ${given}.` };
}
