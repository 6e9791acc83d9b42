import { useText } from '../../text/language.ts';
import { ENGLISH } from './english.ts';
import { SPANISH } from './spanish.ts';

/** The texts of the screens about money, and amounts and days as this reader writes them. */
export function useMoneyText() {
  const { locale, ...rest } = useText();
  const pesos = (value: number): string =>
    new Intl.NumberFormat(locale, { style: 'currency', currency: 'COP', maximumFractionDigits: 0 }).format(value);
  /** A day, YYYY-MM-DD, or a month, YYYY-MM. */
  const period = (value: string): string =>
    new Intl.DateTimeFormat(locale, {
      timeZone: 'UTC',
      ...(value.length === 7 ? { month: 'long', year: 'numeric' } : { dateStyle: 'medium' }),
    }).format(new Date(value));
  return { ...rest, locale, pesos, period, words: locale === 'en' ? ENGLISH : SPANISH };
}
