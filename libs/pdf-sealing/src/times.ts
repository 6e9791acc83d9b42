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
