import { type Locale, useLanguageOf } from '@constancia/web';
import { CeremonyFailed } from '@constancia/web/passkeys';
import { Refused } from '../../api/capture-api.ts';
import { ENGLISH } from './english.ts';
import type { Messages } from './messages.ts';
import { SPANISH } from './spanish.ts';

export const MESSAGES: Record<Locale, Messages> = { 'es-CO': SPANISH, en: ENGLISH };

/** The texts, and times as this reader writes them, in the reader's zone. */
export function useText() {
  const { text, locale, suggest } = useLanguageOf<Messages>();
  const day = (iso: string): string => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(new Date(iso));
  const time = (moment: number): string => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(moment);
  const country = (code: string): string => new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code;
  /** What went wrong, in the reader's words. */
  const sentenceOf = (error: unknown): string => {
    if (error instanceof CeremonyFailed) return text.passkey[error.reason];
    if (!(error instanceof Refused)) return text.lost;
    if (error.status === 429) return text.tooMany(Math.max(1, Math.ceil((error.waitSeconds ?? 60) / 60)));
    if (error.status === 401 || error.status === 422) return text.passkey.refused;
    return text.refused;
  };
  return { text, locale, suggest, day, time, country, sentenceOf };
}
