import type { Locale } from '../api/sign-state.ts';

const MONTHS: Record<Locale, readonly string[]> = {
  'es-CO': ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic'],
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
};
const COLOMBIA: Record<Locale, string> = { 'es-CO': 'hora de Colombia', en: 'Colombia time' };

/** Colombia is five hours behind UTC all year round. */
const inColombia = (at: Date): Date => new Date(at.getTime() - 5 * 3_600_000);
const two = (value: number): string => String(value).padStart(2, '0');

/** "21 nov 2026, 14:05 (hora de Colombia)": no reader can take the day for the month, or the hour for their own. */
export function dateAndTime(iso: string, locale: Locale): string {
  const at = inColombia(new Date(iso));
  const hour = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
  return `${day(at, locale)}, ${hour} (${COLOMBIA[locale]})`;
}

/** "21 nov 2026" of an ISO date. */
export const calendarDay = (isoDate: string, locale: Locale): string => day(new Date(`${isoDate}T00:00:00Z`), locale);

/** The ISO date of a moment in Colombia. */
export const todayInColombia = (now: Date): string => inColombia(now).toISOString().slice(0, 10);

const day = (at: Date, locale: Locale): string =>
  `${at.getUTCDate()} ${MONTHS[locale][at.getUTCMonth()] ?? ''} ${at.getUTCFullYear()}`;
