/** Languages of the pages. Spanish is the first. */
export type Locale = 'es-CO' | 'en';

/** A choice is kept in the address (?lang=en), so that it outlives a reload without being stored anywhere. */
export function languageInAddress(): Locale | null {
  const lang = new URLSearchParams(location.search).get('lang');
  return lang === 'en' ? 'en' : lang === 'es' ? 'es-CO' : null;
}

/** Writes the choice into the address, and leaves the rest of it as it is. */
export function keepLanguageInAddress(locale: Locale): void {
  const search = new URLSearchParams(location.search);
  search.set('lang', locale === 'en' ? 'en' : 'es');
  history.replaceState(history.state, '', `?${search}${location.hash}`);
}
