import { ZONE } from '../text/zone.ts';

const OFFSET = '-05:00';
const DAY_MS = 86_400_000;

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** YYYY-MM-DD of a moment. */
export const bogotaDay = (at = new Date()): string => new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(at);

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

interface Days {
  from?: string;
  to?: string;
}

/** The moments between which whole days lie, for a list of the API. What is no day goes as it is: the API says so. */
export const momentsOf = ({ from, to }: Days): Days => ({
  ...(from !== undefined && { from: isDay(from) ? `${from}T00:00:00${OFFSET}` : from }),
  ...(to !== undefined && { to: isDay(to) ? `${dayAfter(to)}T00:00:00${OFFSET}` : to }),
});

/** Every day of a period, or every month; nothing when it is none, or longer than `most`. */
export function periodsOf(from: string, to: string, by: 'day' | 'month', most: number): string[] {
  const periods: string[] = [];
  if (!isDay(from) || !isDay(to)) return periods;
  for (let day = from; day <= to && periods.length <= most; day = dayAfter(day)) {
    const period = by === 'day' ? day : day.slice(0, 7);
    if (period !== periods.at(-1)) periods.push(period);
  }
  return periods.length > most ? [] : periods;
}
