import {
  DOCUMENT_TYPES,
  documentProblem,
  isDocumentType,
  isCountry,
  nitCheckDigit,
  plainDocumentNumber,
} from '@constancia/reference-data';
import { SUBJECT_TYPES } from '../rule.ts';
import { above, among, atLeast, below, between } from './constraint.ts';
import { predicate } from './predicate.ts';
import { gap } from './reading.ts';
import type { Gaps, Reading } from './reading.ts';
import { isGiven } from './payload-path.ts';
import * as type from './value-types.ts';

const age = type.integer(0, 150);
const range = (end: type.ValueType<number>) =>
  type.ordered(type.object<{ min: number; max: number }>({ min: end, max: end }, ['min', 'max']));
const countries = type.listOf(type.country);
const kycStatuses = type.listOf(
  type.text(/^[a-z0-9_.-]{1,64}$/, 'a status (letters, digits, _, . and -)', (raw) => raw.toLowerCase()),
);
const AGE_READS = ['birth_date', 'subject_age'];

const ageTest = (test: (age: number) => boolean) => (reading: Reading) =>
  typeof reading.age === 'number' ? test(reading.age) : reading.age;
const countryTest = (values: readonly string[], expected: boolean) => {
  const codes = new Set(values);
  return ({ country }: Reading) => (typeof country === 'string' ? codes.has(country) === expected : country);
};
const kycTest = (values: readonly string[], expected: boolean) => {
  const statuses = new Set(values);
  return (reading: Reading) => {
    const status = reading.text('kyc_status');
    return typeof status === 'string' ? statuses.has(status.toLowerCase()) === expected : status;
  };
};
const birthDateTest = (test: (birthDate: string) => boolean) => (reading: Reading) =>
  typeof reading.birthDate === 'string' ? test(reading.birthDate) : reading.birthDate;
const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000;

/** Conditions on who the subject is. */
export const OF_SUBJECT = {
  subject_age_gte: predicate<number>({
    title: { es: 'Edad igual o mayor que', en: 'Age at least' },
    value: age,
    example: 85,
    reads: AGE_READS,
    test: (years) => ageTest((given) => given >= years),
    constraint: (years) => atLeast('age', years),
  }),
  subject_age_lt: predicate<number>({
    title: { es: 'Edad menor que', en: 'Age below' },
    value: age,
    example: 18,
    reads: AGE_READS,
    test: (years) => ageTest((given) => given < years),
    constraint: (years) => between('age', -Infinity, years - 1),
  }),
  subject_age_between: predicate<{ min: number; max: number }>({
    title: { es: 'Edad entre, ambos extremos incluidos', en: 'Age between, both ends included' },
    value: range(age),
    example: { min: 60, max: 84 },
    reads: AGE_READS,
    test: ({ min, max }) => ageTest((given) => given >= min && given <= max),
    constraint: ({ min, max }) => between('age', min, max),
  }),
  birth_date_before: predicate<string>({
    title: { es: 'Nacimiento anterior a', en: 'Born before' },
    value: type.day,
    example: '1940-01-01',
    reads: ['birth_date'],
    test: (day) => birthDateTest((given) => given < day),
    constraint: (day) => below('birth_date', dayNumber(day)),
  }),
  birth_date_after: predicate<string>({
    title: { es: 'Nacimiento posterior a', en: 'Born after' },
    value: type.day,
    example: '2008-12-31',
    reads: ['birth_date'],
    test: (day) => birthDateTest((given) => given > day),
    constraint: (day) => above('birth_date', dayNumber(day)),
  }),
  country_in: predicate<string[]>({
    title: { es: 'País entre', en: 'Country among' },
    value: countries,
    example: ['KP', 'IR'],
    reads: ['country_code'],
    test: (values) => countryTest(values, true),
    constraint: (values) => among('country', values),
  }),
  country_not_in: predicate<string[]>({
    title: { es: 'País conocido y fuera de', en: 'Country known and not among' },
    value: countries,
    example: ['CO'],
    reads: ['country_code'],
    test: (values) => countryTest(values, false),
    constraint: (values) => among('country', values, true),
  }),
  kyc_status_in: predicate<string[]>({
    title: { es: 'Estado de verificación entre', en: 'Verification status among' },
    value: kycStatuses,
    example: ['pending', 'expired'],
    reads: ['kyc_status'],
    test: (values) => kycTest(values, true),
    constraint: (values) => among('kyc_status', values),
  }),
  kyc_status_not_in: predicate<string[]>({
    title: { es: 'Estado de verificación conocido y fuera de', en: 'Verification status known and not among' },
    value: kycStatuses,
    example: ['approved'],
    reads: ['kyc_status'],
    test: (values) => kycTest(values, false),
    constraint: (values) => among('kyc_status', values, true),
  }),
  subject_type_is: predicate<string>({
    title: { es: 'Tipo de sujeto', en: 'Kind of subject' },
    value: type.oneOf(SUBJECT_TYPES),
    example: 'legal',
    reads: ['subject_type'],
    test: (kind) => (reading) => reading.facts.subjectType === kind,
    constraint: (kind) => among('subject_type', [kind]),
  }),
  document_type_in: predicate<string[]>({
    title: { es: 'Tipo de documento entre', en: 'Document type among' },
    value: type.listOf(type.upperOneOf(DOCUMENT_TYPES)),
    example: ['PA', 'PPT'],
    reads: ['document_type'],
    test(values) {
      const types = new Set(values);
      return (reading) => {
        const given = reading.text('document_type');
        return typeof given === 'string' ? types.has(given.toUpperCase()) : given;
      };
    },
    constraint: (values) => among('document_type', values),
  }),
  document_number_in: predicate<string[]>({
    title: { es: 'Número de documento entre (lista propia)', en: 'Document number among (a list of your own)' },
    value: type.listOf(type.text(/^.{1,64}$/u, 'a document number of at most 64 characters')),
    example: ['900.123.456-8'],
    reads: ['document_number', 'document_type'],
    test(values) {
      const numbers = new Set(values.map(plainDocumentNumber));
      return (reading) => {
        const given = reading.text('document_number');
        if (typeof given !== 'string') return given;
        return spellings(given, reading.text('document_type')).some((number) => numbers.has(number));
      };
    },
  }),
  document_check_failed: predicate<true>({
    title: {
      es: 'Número de documento imposible para su tipo y país',
      en: 'Document number impossible for its type and country',
    },
    value: type.noValue,
    example: true,
    reads: ['document_type', 'document_number', 'document_country', 'country_code'],
    test: () => documentCheckFailed,
  }),
  economic_activity_in: predicate<string[]>({
    title: {
      es: 'Actividad económica (CIIU) entre; una división o un grupo incluye sus clases',
      en: 'Economic activity (ISIC) among; a division or group includes its classes',
    },
    value: type.listOf(type.text(/^\d{2,4}$/, 'a CIIU code of 2 to 4 digits')),
    example: ['6499', '92'],
    reads: ['economic_activity'],
    test: (values) => (reading) => {
      const given = reading.payload.economic_activity;
      if (!isGiven(given)) return ACTIVITY_MISSING;
      const codes = Array.isArray(given) ? given : [given];
      if (!codes.every((code) => typeof code === 'string' && /^\d{2,4}$/.test(code.trim()))) return ACTIVITY_INVALID;
      return codes.some((code) => values.some((value) => (code as string).trim().startsWith(value)));
    },
  }),
};

const ACTIVITY_MISSING = gap('economic_activity', 'missing');
const ACTIVITY_INVALID = gap('economic_activity', 'invalid');
const TYPE_INVALID = gap('document_type', 'invalid');
const DOCUMENT_COUNTRY_INVALID = gap('document_country', 'invalid');

/** A NIT is the same number with and without its check digit. */
function spellings(number: string, type: string | Gaps): string[] {
  const plain = plainDocumentNumber(number);
  if (typeof type !== 'string' || type.toUpperCase() !== 'NIT' || !/^\d{2,14}$/.test(plain)) return [plain];
  const short = plain.slice(0, -1);
  const both = [plain, `${plain}${nitCheckDigit(plain)}`];
  return nitCheckDigit(short) === Number(plain.at(-1)) ? [...both, short] : both;
}

function documentCheckFailed(reading: Reading): boolean | Gaps {
  const kind = reading.text('document_type');
  const number = reading.text('document_number');
  const unknown = [kind, number].filter((each) => typeof each !== 'string').flat();
  if (typeof kind !== 'string' || typeof number !== 'string') return unknown;
  const type = kind.toUpperCase();
  if (!isDocumentType(type)) return TYPE_INVALID;
  const country = documentCountry(reading);
  if (typeof country !== 'string' && type !== 'CE' && type !== 'PPT') return country;
  return documentProblem(type, typeof country === 'string' ? country : 'CO', number) !== null;
}

/** The country that issued the document, where the payload says so; else the subject's. */
function documentCountry(reading: Reading): string | Gaps {
  const given = reading.payload.document_country;
  if (!isGiven(given)) return reading.country;
  const code = typeof given === 'string' ? given.trim().toUpperCase() : '';
  return isCountry(code) ? code : DOCUMENT_COUNTRY_INVALID;
}
