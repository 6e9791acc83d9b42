import { isDay } from '@constancia/kernel';
import { DOCUMENT_TYPES, isCountry, isCurrency, isDocumentType } from '@constancia/reference-data';
import type { FieldError } from '@constancia/problem-json';
import { PAYLOAD_LIMITS } from './payload-limits.ts';

/** What is wrong with a member's value; undefined when nothing is. */
type Fault = Pick<FieldError, 'code' | 'detail'> | undefined;
type Check = (value: unknown, today: string) => Fault;

const OLDEST_YEARS = 150;
const NOT_TEXT = { code: 'wrong_type', detail: 'Must be a text.' };
const CONTROL = { code: 'invalid_characters', detail: 'Remove line breaks, tabs and other control characters.' };

/** A text without control characters, of a length. */
function text(most: number, least = 0): Check {
  return (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    if (value.length > most) return { code: 'too_long', detail: `Must not be longer than ${most} characters.` };
    if (value.trim().length < least) return { code: 'too_short', detail: 'Must not be blank: leave it out instead.' };
    return /\p{Cc}/u.test(value) ? CONTROL : undefined;
  };
}

/** A text that some rule accepts. */
function code(accepts: (value: string) => boolean, wrong: string, detail: string): Check {
  return (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    return accepts(value) ? undefined : { code: wrong, detail };
  };
}

function number(least: number, most: number, whole: boolean): Check {
  return (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value) || (whole && !Number.isInteger(value))) {
      return { code: 'wrong_type', detail: whole ? 'Must be an integer.' : 'Must be a number.' };
    }
    if (value >= least && value <= most) return undefined;
    return { code: 'out_of_range', detail: `Must be from ${least} to ${most}.` };
  };
}

const day: Check = (value, today) => {
  if (typeof value !== 'string') return NOT_TEXT;
  if (!isDay(value)) return { code: 'wrong_format', detail: 'Must be a day of the calendar, YYYY-MM-DD.' };
  return value > today ? { code: 'out_of_range', detail: 'Must not be in the future.' } : undefined;
};

const country = code(
  (value) => isCountry(value.toUpperCase()),
  'unknown_country',
  'Must be an ISO 3166-1 alpha-2 code, such as CO.',
);

/** Members that say who somebody is: of the subject, and of each related party. */
const IDENTITY: Record<string, Check> = {
  full_name: text(PAYLOAD_LIMITS.name, 1),
  birth_date: day,
  document_type: code(
    (value) => isDocumentType(value.toUpperCase()),
    'not_allowed',
    `Must be one of ${DOCUMENT_TYPES.join(', ')}.`,
  ),
  document_number: text(64),
  document_country: country,
  country_code: country,
};

export const SUBJECT_MEMBERS: Readonly<Record<string, Check>> = {
  ...IDENTITY,
  subject_age: number(0, OLDEST_YEARS, true),
  kyc_status: text(64),
  amount: number(0, Number.MAX_SAFE_INTEGER, false),
  currency: code(
    (value) => isCurrency(value.toUpperCase()),
    'unknown_currency',
    'Must be an ISO 4217 code, such as COP.',
  ),
};

export const PARTY_MEMBER_CHECKS: Readonly<Record<string, Check>> = {
  ...IDENTITY,
  ownership_percent: number(0, 100, false),
};

/** Adds what is wrong with the checked members of an object. */
export function memberErrors(
  checks: Readonly<Record<string, Check>>,
  object: Readonly<Record<string, unknown>>,
  { pointer, today }: { pointer: string; today: string },
  errors: FieldError[],
): void {
  for (const [member, check] of Object.entries(checks)) {
    if (!Object.hasOwn(object, member) || object[member] === undefined) continue;
    const fault = object[member] === null ? NULL : check(object[member], today);
    if (fault) errors.push({ pointer: `${pointer}/${member}`, ...fault });
  }
}

const NULL = { code: 'wrong_type', detail: 'Must not be null: leave it out instead.' };
