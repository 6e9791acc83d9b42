import { bogotaDay, daysBefore } from '@constancia/kernel';
import { ValidationError } from '@constancia/problem-json';

export const GRANULARITIES = ['day', 'month'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** How many days one answer covers at most: by day more than a year, by month ten years. */
export const MAX_DAYS: Readonly<Record<Granularity, number>> = { day: 400, month: 3_660 };

const DAY_MS = 86_400_000;

/** Days in Colombia, both included. */
export interface UsagePeriod {
  from: string;
  to: string;
}

/**
 * The days that a request names: to today when it does not say, from the first of the month in which the period ends. Throws
 * ValidationError when they are in the wrong order, or more than one answer covers.
 */
export function usagePeriod(
  named: { from?: string; to?: string; by: Granularity },
  now: Date = new Date(),
): UsagePeriod {
  const to = named.to ?? (named.from !== undefined && named.from > bogotaDay(now) ? named.from : bogotaDay(now));
  const from = named.from ?? `${to.slice(0, 8)}01`;
  if (to < from) {
    throw new ValidationError([{ pointer: '/query/to', code: 'out_of_range', detail: 'Must not be before from.' }]);
  }
  const most = MAX_DAYS[named.by];
  if ((Date.parse(to) - Date.parse(from)) / DAY_MS >= most) {
    const first = daysBefore(to, most - 1);
    const detail = `By ${named.by} an answer covers ${most} days: with this end, begin on ${first} or later${named.by === 'day' ? ', or ask by month' : ''}.`;
    throw new ValidationError([{ pointer: '/query/from', code: 'out_of_range', detail }]);
  }
  return { from, to };
}
