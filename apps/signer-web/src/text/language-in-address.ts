import type { Locale } from '../api/sign-state.ts';

/** A choice is kept in the address (?lang=en), so that it outlives a reload without being stored anywhere. */
export function languageInAddress(): Locale | null {
  const lang = new URLSearchParams(location.search).get('lang');
  return lang === 'en' ? 'en' : lang === 'es' ? 'es-CO' : null;
}
