import type { Locale } from './language-in-address.ts';

/** The language of the pages that is nearest to that of the browser. */
export const browserLanguage = (): Locale => (/^es/i.test(navigator.language) ? 'es-CO' : 'en');
