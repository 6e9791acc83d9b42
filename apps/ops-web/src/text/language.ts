import { duration, type ReplayRunRow } from '@constancia/operations';
import { type Locale, useLanguageOf } from '@constancia/web';
import { ENGLISH } from './english.ts';
import type { Messages } from './messages.ts';
import { SPANISH } from './spanish.ts';

export const MESSAGES: Record<Locale, Messages> = { 'es-CO': SPANISH, en: ENGLISH };

/** The texts, and numbers and times as this reader writes them. Times are in the reader's zone. */
export function useText() {
  const { text, locale } = useLanguageOf<Messages>();
  const number = (value: number | null | undefined): string => value?.toLocaleString(locale) ?? '–';
  const clock = (iso: string | null | undefined): string =>
    iso ? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(iso)) : '–';
  const ago = (iso: string | null): string => {
    if (!iso) return '';
    const seconds = (Date.now() - Date.parse(iso)) / 1_000;
    return (seconds < 0 ? text.in : text.ago)(duration(Math.abs(seconds)));
  };
  const progress = ({ replayed, matched, skipped }: ReplayRunRow): string =>
    text.runProgress(number(replayed), number(matched), number(skipped));
  return { text, locale, number, clock, ago, progress };
}
