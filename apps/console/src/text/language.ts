import { type Locale, Unreachable, useLanguageOf } from '@constancia/web';
import { CeremonyFailed } from '@constancia/web/passkeys';
import { ApiError } from '../session.ts';
import { ENGLISH } from './english.ts';
import type { Messages } from './messages.ts';
import { SPANISH } from './spanish.ts';

export const MESSAGES: Record<Locale, Messages> = { 'es-CO': SPANISH, en: ENGLISH };

/** The texts, and times as this reader writes them, in the reader's zone. */
export function useText() {
  const { text, locale } = useLanguageOf<Messages>();
  const clock = (iso: string): string =>
    new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
  const roleOf = (role: string): string => text.roles[role] ?? role;
  /** What went wrong, in the reader's words. */
  const sentenceOf = (error: unknown): string => {
    if (error instanceof Unreachable) return text.unreachable;
    if (error instanceof CeremonyFailed) return text.passkeys.failures[error.reason];
    if (!(error instanceof ApiError)) return text.broken.title;
    if (error.suspended) return text.suspended;
    if (error.status === 429) return text.tooMany(Math.max(1, Math.ceil((error.waitSeconds ?? 60) / 60)));
    if (error.status === 409) return text.passkeys.conflict;
    if (error.status === 401 || error.status === 422) return text.passkeys.refused;
    if (error.status === 400) return text.signIn.noAddress;
    return text.refused(error.status);
  };
  const isEnded = (error: unknown): boolean => error instanceof ApiError && error.status === 401;
  return { text, locale, clock, roleOf, sentenceOf, isEnded };
}
