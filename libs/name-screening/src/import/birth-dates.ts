import type { BirthDate } from '../entry.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const CIRCA =
  /\(?\b(?:between approximately|circa|probably|about|around|approximately|approx|late|early|mid|ca|c)\b[.)]?/gi;
/** `a or b`, `a; b`, and the UN's and EU's `(a) … (b) …`. */
const ALTERNATIVES = /\s+or\s+|\s*;\s*|,?\s*\b[a-h]\)\s*|,?\s*\([a-h]\)\s*/i;
const RANGE = /^(?:between\s+)?(.+?)(?:\s+(?:to|and|until)\s+|\s+[–-]\s+|(?<=^\d{4})[–-](?=\d{4}$))(.+)$/i;
/** In characters; prose that long holds no date that a pattern should look for. */
const LONGEST = 200;
/** Years are written with four digits in every list. Longer forms first. */
const DAY_FORMS: [form: RegExp, order: ('year' | 'month' | 'day')[]][] = [
  [/^(\d{4})-(\d{1,2})-(\d{1,2})(?:T.*)?$/, ['year', 'month', 'day']],
  [/^(\d{4})-(\d{1,2})$/, ['year', 'month']],
  [/^(\d{1,2})[./](\d{1,2})[./](\d{4})$/, ['day', 'month', 'year']],
  [/^(\d{1,2})[./](\d{4})$/, ['month', 'year']],
  [/^(\d{1,2})\.?\s+([a-z]{3,9})(?:\.\s*|,?\s+)(\d{4})$/i, ['day', 'month', 'year']],
  [/^([a-z]{3,9})\.?,?\s+(\d{4})$/i, ['month', 'year']],
  [/^(\d{4})$/, ['year']],
];

/**
 * Birth dates in a text as lists write them: `1954`, `circa 1962`, `Jan 1974`, `01 Jan 1974 to 31 Dec 1974`,
 * `between 1957 and 1959`, `1963-05`, `11.8.1960`, `1 Jan. 1964 or 1959`. What cannot be read is left out.
 */
export function birthDatesIn(text: string): BirthDate[] {
  if (text.length > LONGEST) return [];
  return text.split(ALTERNATIVES).flatMap((part) => {
    const date = birthDateIn(part);
    return date ? [date] : [];
  });
}

function birthDateIn(text: string): BirthDate | undefined {
  const plain = text.replace(CIRCA, ' ').replace(/\s+/g, ' ').trim();
  const circa = plain !== text.replace(/\s+/g, ' ').trim();
  const one = span(plain);
  if (one) return { ...one, circa };
  const [, start, finish] = RANGE.exec(plain) ?? [];
  const from = start && span(start);
  const to = finish && span(finish);
  return from && to && from.from <= to.to ? { from: from.from, to: to.to, circa } : undefined;
}

/** The days that a date may mean: a year has all of its days, a month its own. Undefined for what is no date. */
function span(text: string): { from: string; to: string } | undefined {
  for (const [form, order] of DAY_FORMS) {
    const found = form.exec(text);
    if (!found) continue;
    const parts = Object.fromEntries(order.map((part, index) => [part, found[index + 1] ?? '']));
    return birthSpan(Number(parts.year), parts.month && monthNumber(parts.month), parts.day && Number(parts.day));
  }
  return undefined;
}

/** The days of a year, a month of it, or the one day. Undefined where there is no such day, or nobody born then lives in lists. */
export function birthSpan(
  year: number,
  month?: number | '',
  day?: number | '',
): { from: string; to: string } | undefined {
  if (!(year >= 1000 && year <= 2200)) return undefined;
  if (!month) return { from: `${year}-01-01`, to: `${year}-12-31` };
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (!(month >= 1 && month <= 12) || (day && day > last)) return undefined;
  const prefix = `${year}-${String(month).padStart(2, '0')}-`;
  const two = (number: number) => prefix + String(number).padStart(2, '0');
  return { from: two(day || 1), to: two(day || last) };
}

function monthNumber(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1 || 99;
}
