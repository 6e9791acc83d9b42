const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Colombia keeps UTC−5 the year round; it last changed its clocks in 1993. */
const BOGOTA_OFFSET_MS = -5 * 3_600_000;

/** The calendar day in Colombia (America/Bogota) of an instant: `YYYY-MM-DD`. For instants since 1993-02-07. */
export function bogotaDay(instant: Date | number | string): string {
  return new Date(new Date(instant).getTime() + BOGOTA_OFFSET_MS).toISOString().slice(0, 10);
}

/**
 * The digits of `YYYY-MM-DD` as one number (20261121); -1 for a text that is not of this form. Read by character codes: a
 * screening reads days many times, and a regular expression would be most of its cost.
 */
function dayDigits(text: string): number {
  if (text.length !== 10) return -1;
  let digits = 0;
  for (let at = 0; at < 10; at++) {
    const code = text.charCodeAt(at);
    if (at === 4 || at === 7) {
      if (code !== 45) return -1;
    } else if (code < 48 || code > 57) return -1;
    else digits = digits * 10 + code - 48;
  }
  return digits;
}

/** Whether a text is a day of the Gregorian calendar, `YYYY-MM-DD`, year 1 or later. */
export function isDay(text: string): boolean {
  const digits = dayDigits(text);
  const year = Math.floor(digits / 10_000);
  const month = Math.floor(digits / 100) % 100;
  const day = digits % 100;
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (DAYS_IN_MONTH[month - 1] as number) + (month === 2 && leap ? 1 : 0);
}

/**
 * Completed years on a day; both `YYYY-MM-DD`. Who was born on 29 February completes a year on 1 March in common years.
 * Negative when the birth lies after the day.
 */
export function ageOn(birthDate: string, day: string): number {
  return Math.floor((dayDigits(day) - dayDigits(birthDate)) / 10_000);
}

/** The day that lies `days` before (negative: after) a day. Both `YYYY-MM-DD`. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}
