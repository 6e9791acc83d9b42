import { ZONE } from './zone.ts';

const OFFSET = '-05:00';
const DAY_MS = 86_400_000;

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** YYYY-MM-DD of a moment. */
export const bogotaDay = (at = new Date()): string => new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(at);

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

/** The moment at which a day ends; `lastDayOf` is the day that ends then, or during which that moment is. */
export const endOf = (day: string): string => (isDay(day) ? `${dayAfter(day)}T00:00:00${OFFSET}` : day);
export const lastDayOf = (iso: string): string => bogotaDay(new Date(Date.parse(iso) - 1));

/** Whether a day ends at a moment: it stands for the whole day. */
export const isEndOfDay = (iso: string): boolean => Date.parse(endOf(lastDayOf(iso))) === Date.parse(iso);

/** Whether it is a date without a time, which the API gives as midnight of UTC. */
export const isDate = (iso: string): boolean => /T00:00:00(\.0+)?Z$/.test(iso);

interface Days {
  from?: string;
  to?: string;
}

/** The moments between which whole days lie, for a list of the API. What is no day goes as it is: the API says so. */
export const momentsOf = ({ from, to }: Days): Days => ({
  ...(from !== undefined && { from: isDay(from) ? `${from}T00:00:00${OFFSET}` : from }),
  ...(to !== undefined && { to: endOf(to) }),
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
