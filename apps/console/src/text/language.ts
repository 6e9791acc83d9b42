import { moneyText } from '@constancia/reference-data/money-text';
import { type Locale, Unreachable, useLanguageOf } from '@constancia/web';
import { CeremonyFailed } from '@constancia/web/passkeys';
import { ApiError } from '../api/api-error.ts';
import { isDate, isEndOfDay, lastDayOf } from './bogota-days.ts';
import { ENGLISH } from './english.ts';
import { fieldAt, lengthsIn } from './api-faults.ts';
import type { Messages } from './messages.ts';
import { SPANISH } from './spanish.ts';
import { ZONE } from './zone.ts';

export const MESSAGES: Record<Locale, Messages> = { 'es-CO': SPANISH, en: ENGLISH };

const clockIn = onceByLocale(
  (locale) => new Intl.DateTimeFormat(locale, { timeZone: ZONE, dateStyle: 'medium', timeStyle: 'short' }),
);
const dayIn = onceByLocale((locale) => new Intl.DateTimeFormat(locale, { timeZone: ZONE, dateStyle: 'medium' }));
const dateIn = onceByLocale((locale) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' }));
const longDayIn = onceByLocale((locale) => new Intl.DateTimeFormat(locale, { timeZone: ZONE, dateStyle: 'long' }));
const numberIn = onceByLocale((locale) => new Intl.NumberFormat(locale));

/** A list formats hundreds of values, and a formatter costs far more to make than to use. */
function onceByLocale<Format>(make: (locale: Locale) => Format): (locale: Locale) => Format {
  const made: Partial<Record<Locale, Format>> = {};
  return (locale) => (made[locale] ??= make(locale));
}

const LENGTH_CODES = new Set(['too_short', 'too_long', 'wrong_length']);

/** The texts, and times and numbers as this reader writes them. */
export function useText() {
  const { text, locale } = useLanguageOf<Messages>();
  // A line never ends between the hour and its "p. m.".
  const clock = (iso: string): string =>
    clockIn(locale)
      .format(new Date(iso))
      .replaceAll(/(?<!,) /g, '\u00A0');
  const dayOf = (iso: string): string => dayIn(locale).format(new Date(iso));
  /** A date without a time as that date; anything else with its time. */
  const dateOrClock = (iso: string): string => (isDate(iso) ? dateIn(locale).format(new Date(iso)) : clock(iso));
  /** Until when something is valid: a whole day as that day. */
  const untilOf = (iso: string): string =>
    isEndOfDay(iso) ? dateIn(locale).format(new Date(lastDayOf(iso))) : clock(iso);
  const longDayOf = (at: Date): string => longDayIn(locale).format(at);
  const number = (value: number): string => numberIn(locale).format(value);
  /** Of the currency that is named by its code (ISO 4217). */
  const money = (amount: number, currency: string | undefined): string => moneyText(amount, currency, locale);
  /** A share from 0 to 1, with so many digits after the point at most. */
  const percent = (share: number, digits = 0): string =>
    new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: digits }).format(share);
  const roleOf = (role: string): string => text.roles[role] ?? role;

  /** What went wrong, in the reader's words. */
  const sentenceOf = (error: unknown): string => {
    if (error instanceof Unreachable) return text.unreachable;
    if (error instanceof CeremonyFailed) return text.passkeys.failures[error.reason];
    if (!(error instanceof ApiError)) return text.broken.title;
    if (error.suspended) return text.suspended;
    const known = text.problems[error.slug];
    if (known !== undefined) return known;
    if (error.status === 429) return text.tooMany(minutesOf(error));
    return error.status >= 500 ? text.problems.failed : text.refused(error.status);
  };
  /** The same while somebody signs in, or adds a passkey. */
  const signInSentenceOf = (error: unknown): string => {
    if (!(error instanceof ApiError) || error.suspended) return sentenceOf(error);
    if (error.status === 429) return text.signIn.tooMany(minutesOf(error));
    if (error.status === 409) return text.passkeys.conflict;
    if (error.status === 401 || error.status === 422) return text.passkeys.refused;
    if (error.status === 400) return text.signIn.noAddress;
    return text.refused(error.status);
  };
  /** Which length a text must have, where that is what is wrong with it. */
  const lengthFault = ({ code, detail }: { code: string; detail: string }): string | undefined => {
    if (!LENGTH_CODES.has(code)) return undefined;
    const { least, most } = lengthsIn(detail);
    if (least === 1 && most === undefined) return text.faults.required;
    if (least !== undefined && most !== undefined) return text.lengths.between(number(least), number(most));
    if (least !== undefined) return text.lengths.least(number(least));
    return most === undefined ? undefined : text.lengths.most(number(most));
  };
  /** What is wrong with each field of a form, by its name: that of the member, or its path (`payload/birth_date`). `known`: codes that only this form knows. */
  const faultsOf = (error: unknown, known: Readonly<Record<string, string>> = {}): Record<string, string> => {
    const faults = error instanceof ApiError ? error.faults : [];
    return Object.fromEntries(
      faults.flatMap(({ pointer, code, detail }) => {
        const fault =
          known[code] ??
          lengthFault({ code, detail }) ??
          text.faults[code] ??
          (locale === 'en' ? detail : `${text.faults.other} (${detail})`);
        const path = fieldAt(pointer);
        return [path.split('/')[0] ?? '', path].map((name) => [name, fault]);
      }),
    );
  };
  const isEnded = (error: unknown): boolean => error instanceof ApiError && error.status === 401;
  return {
    text,
    locale,
    clock,
    dayOf,
    dateOrClock,
    untilOf,
    longDayOf,
    number,
    money,
    percent,
    roleOf,
    sentenceOf,
    signInSentenceOf,
    faultsOf,
    isEnded,
  };
}

const minutesOf = ({ waitSeconds }: ApiError): number => Math.max(1, Math.ceil((waitSeconds ?? 60) / 60));
