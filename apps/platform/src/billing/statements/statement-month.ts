import { bogotaDay } from '@constancia/kernel';
import { NotFound, ValidationError } from '@constancia/problem-json';

export const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Transactions end within seconds: after an hour, none that began in a month can still add to it. */
const SETTLED_AFTER_MS = 3_600_000;

/** A calendar month in Colombia. */
export interface StatementMonth {
  /** YYYY-MM. */
  month: string;
  /** Its first day, and that of the next one: YYYY-MM-DD. */
  from: string;
  next: string;
  /** From when on its statement does not change any more. */
  finalFrom: Date;
  isFinal: boolean;
}

/** The month that a path names. Throws ValidationError for what is no month, NotFound for one that has not begun. */
export function statementMonth(text: string, now: Date = new Date()): StatementMonth {
  if (!MONTH.test(text)) {
    const detail = 'Must be a month, YYYY-MM.';
    throw new ValidationError([{ pointer: '/path/month', code: 'wrong_format', detail }]);
  }
  const from = `${text}-01`;
  if (from > bogotaDay(now)) throw new NotFound(`There is no statement of ${text}: the month has not begun.`);
  const [year, month] = [Number(text.slice(0, 4)), Number(text.slice(5))];
  // Its first day at 05:00 UTC is midnight in Colombia. Date.UTC takes 0 to 99 for years of the last century.
  const begin = new Date(Date.UTC(2000, month, 1, 5));
  begin.setUTCFullYear(month === 12 ? year + 1 : year);
  const finalFrom = new Date(begin.getTime() + SETTLED_AFTER_MS);
  return { month: text, from, next: bogotaDay(begin), finalFrom, isFinal: now >= finalFrom };
}
