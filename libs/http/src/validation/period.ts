import { beginOf, endOf } from './instant.ts';
import { isDay } from '@constancia/kernel';
import { ValidationError } from '@constancia/problem-json';

/** Half-open: from <= t < to. A bound that was left out is undefined. */
export interface Period {
  from: Date | undefined;
  to: Date | undefined;
}

/**
 * The period that a caller names by date-times, or by days in America/Bogota, the last one included. Throws ValidationError at
 * `pointer`, that of `to`, when it ends before it begins.
 */
export function periodOf(named: { from?: string; to?: string }, pointer: string): Period {
  const from = beginOf(named.from, 'bogota');
  const to = endOf(named.to, 'bogota');
  // The end of the day before `from` is the beginning of `from`: that day lies before it all the same.
  const isEarlier = from && to && (to < from || (isDay(named.to as string) && to.getTime() === from.getTime()));
  if (isEarlier) {
    throw new ValidationError([{ pointer, code: 'out_of_range', detail: 'Must not be before from.' }]);
  }
  return { from, to };
}
