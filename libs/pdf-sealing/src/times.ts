/** Languages that are written for people. */
export type Locale = 'es-CO' | 'en';

/** The zone of `inBogota`, as it is written beside a time: no summer time since 1993. */
export const BOGOTA = 'UTC-5';

const IN_BOGOTA = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Bogota',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** `2026-11-21 15:04:07`, in UTC: a form that reads the same in every country. */
export const inUtc = (at: Date) => at.toISOString().slice(0, 19).replace('T', ' ');

/** `2026-11-21 10:04:07`, as clocks in Bogotá showed it. */
export function inBogota(at: Date): string {
  const part = Object.fromEntries(IN_BOGOTA.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second}`;
}

/** Points that a letter takes on average, in letters of 8 points. */
const LETTER_PT = 4.1;

/**
 * A day (`2026-11-21`) as the signer's page shows it: with its month as a word, so that nobody reads it in two ways. Shorter in a narrow
 * box; what is no day stays as it is.
 */
export function dayInWords(day: string, widthPt: number, locale: Locale): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return day;
  const at = new Date(`${day}T00:00:00Z`);
  const words = (month: 'long' | 'short') =>
    new Intl.DateTimeFormat(locale, { day: 'numeric', month, year: 'numeric', timeZone: 'UTC' }).format(at);
  const fits = (text: string) => text.length * LETTER_PT <= widthPt;
  const [whole, short] = [words('long'), words('short').replaceAll(' de ', ' ')];
  if (fits(whole)) return whole;
  return fits(short) ? short : day;
}
