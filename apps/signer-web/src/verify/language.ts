import type { Locale } from '../api/sign-state.ts';
import { english } from './english.ts';
import { spanish } from './spanish.ts';
import type { Words } from './words.ts';

export const WORDS: Record<Locale, Words> = { 'es-CO': spanish, en: english };

/** Of what the browser's user prefers, the first that the page has; Spanish when it has none. */
export function preferredLanguage(languages: readonly string[]): Locale {
  for (const wanted of languages) {
    if (/^es\b/i.test(wanted)) return 'es-CO';
    if (/^en\b/i.test(wanted)) return 'en';
  }
  return 'es-CO';
}
