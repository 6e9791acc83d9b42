import { useText } from '../../text/language.ts';
import { ENGLISH } from './english.ts';
import { SPANISH } from './spanish.ts';

/** The texts of the screens of identity. */
export function useIdentityText() {
  const { locale, number, ...rest } = useText();
  const percent = (share: number): string =>
    new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share);
  return { ...rest, locale, number, percent, words: locale === 'en' ? ENGLISH : SPANISH };
}
