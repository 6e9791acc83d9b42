const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Colombia keeps UTC−5 the year round; it last changed its clocks in 1993. */
const BOGOTA_OFFSET_MS = -5 * 3_600_000;

/** The calendar day in Colombia (America/Bogota) of an instant: `YYYY-MM-DD`. For instants since 1993-02-07. */
export function bogotaDay(instant: Date | number | string): string {
  return new Date(new Date(instant).getTime() + BOGOTA_OFFSET_MS).toISOString().slice(0, 10);
}

/** Whether a text is a day of the Gregorian calendar, `YYYY-MM-DD`, year 1 or later. */
export function isDay(text: string): boolean {
  const parts = DAY.exec(text);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (DAYS_IN_MONTH[month - 1] as number) + (month === 2 && leap ? 1 : 0);
}

/**
 * Completed years on a day; both `YYYY-MM-DD`. Who was born on 29 February completes a year on 1 March in common years.
 * Negative when the birth lies after the day.
 */
export function ageOn(birthDate: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return day.slice(5) < birthDate.slice(5) ? years - 1 : years;
}

/** The day that lies `days` before (negative: after) a day. Both `YYYY-MM-DD`. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}
