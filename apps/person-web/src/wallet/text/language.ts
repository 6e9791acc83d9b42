import { type Locale, useLanguageOf } from '@constancia/web';
import { CeremonyFailed } from '@constancia/web/passkeys';
import { Refused } from '../../api/capture-api.ts';
import { ENGLISH } from './english.ts';
import type { Messages } from './messages.ts';
import { SPANISH } from './spanish.ts';

export const MESSAGES: Record<Locale, Messages> = { 'es-CO': SPANISH, en: ENGLISH };

/** The texts, and times, days and countries as this reader writes them; times in the reader's zone. */
export function useText() {
  const { text, locale } = useLanguageOf<Messages>();
  const clock = (iso: string): string =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(iso));
  const time = (moment: number): string => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(moment);
  /** `date`: YYYY-MM-DD. */
  const day = (date: string): string =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
  const country = (code: string): string => new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code;
  /** What went wrong, in the reader's words. */
  const sentenceOf = (error: unknown): string => {
    if (error instanceof CeremonyFailed) return text.passkeys.failures[error.reason];
    if (!(error instanceof Refused)) return text.lost;
    if (error.status === 429) return text.tooMany(Math.max(1, Math.ceil((error.waitSeconds ?? 60) / 60)));
    if (error.status === 401 || error.status === 422) return text.passkeys.refused;
    return error.status === 400 ? text.signIn.addressFault : text.refused;
  };
  return { text, locale, clock, time, day, country, sentenceOf };
}
