import { countries } from '@constancia/reference-data/iso';

export interface Country {
  code: string;
  name: string;
}

/** The countries of ISO 3166-1 by their names in a language, from A to Z. */
export function issuingCountries(locale: 'es-CO' | 'en'): Country[] {
  return countries()
    .map(({ code, es, en }) => ({ code, name: locale === 'en' ? en : es }))
    .sort((a, b) => a.name.localeCompare(b.name, locale));
}
