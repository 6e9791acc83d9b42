import { COUNTRY_NAMES } from './country-names.ts';

/** Written where a list does not know the country: no country, and nothing to warn of. */
const UNKNOWN = new Set([
  '00',
  'xx',
  'zz',
  'n a',
  'unknown',
  'undetermined',
  'not available',
  'none',
  'stateless',
  'un',
  'eu',
]);
const BY_NAME = new Map<string, string>();
const CODES = new Set<string>();
for (const line of COUNTRY_NAMES.trim().split('\n')) {
  const [code = '', ...names] = line.split('|');
  CODES.add(code);
  for (const name of names) BY_NAME.set(plain(name), code);
}

/**
 * ISO 3166-1 alpha-2 of a country as a list writes it: a code, or one of the names that OFAC, the UN and the EU use. Empty
 * where the list itself does not know ("undetermined", "00"); undefined where this service does not know the name.
 */
export function countryCode(text: string): string | undefined {
  const upper = text.trim().toUpperCase();
  if (CODES.has(upper)) return upper;
  const name = plain(text);
  if (!name || UNKNOWN.has(name)) return '';
  return BY_NAME.get(name);
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(/^(the|region|possibly|allegedly) | the$/g, '')
    .trim();
}
