import { type Locale, useLanguageOf } from '@constancia/web';
import { CeremonyFailed } from '@constancia/web/passkeys';
import { Refused } from '../../api/capture-api.ts';
import { ENGLISH } from './english.ts';
import type { Messages } from './messages.ts';
import { SPANISH } from './spanish.ts';

export const MESSAGES: Record<Locale, Messages> = { 'es-CO': SPANISH, en: ENGLISH };

/** The texts, and what went wrong in the reader's words. */
export function useText() {
  const { text, locale } = useLanguageOf<Messages>();
  const sentenceOf = (error: unknown): string => {
    if (error instanceof CeremonyFailed) return text.passkey[error.reason];
    if (!(error instanceof Refused)) return text.lost;
    if (error.status === 429) return text.tooMany(Math.max(1, Math.ceil((error.waitSeconds ?? 60) / 60)));
    return error.status === 422 ? text.passkey.refused : text.refused;
  };
  return { text, locale, sentenceOf };
}
