import { isDay } from '@constancia/kernel';
import { buildMessage, ValidateBy } from 'class-validator';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
const DAY_MS = 86_400_000;

/** Where a day begins: in UTC, or in Colombia (UTC−5 the year round). */
export type DayZone = 'utc' | 'bogota';
const DAY_BEGINS_MS: Readonly<Record<DayZone, number>> = { utc: 0, bogota: 5 * 3_600_000 };

/** A date (a whole day) or a date-time with its offset (RFC 3339 §5.6). */
export function IsInstant(): PropertyDecorator {
  return ValidateBy({
    name: 'isInstant',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && parse(value, 'utc') !== null,
      defaultMessage: buildMessage((prefix) => `${prefix}$property must be a date or a date-time with its offset`),
    },
  });
}

/** A day of the calendar, YYYY-MM-DD. */
export function IsDay(): PropertyDecorator {
  return ValidateBy({
    name: 'isDay',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isDay(value),
      defaultMessage: buildMessage((prefix) => `${prefix}$property must be a day of the calendar, YYYY-MM-DD`),
    },
  });
}

/** The beginning of a period: of the day, when only a date is given. */
export function beginOf(text: string | undefined, zone: DayZone = 'utc'): Date | undefined {
  return (text !== undefined && parse(text, zone)) || undefined;
}

/** The end of a period, exclusive: the day named belongs to it, when only a date is given. */
export function endOf(text: string | undefined, zone: DayZone = 'utc'): Date | undefined {
  const at = beginOf(text, zone);
  return at && DATE.test(text as string) ? new Date(at.getTime() + DAY_MS) : at;
}

function parse(text: string, zone: DayZone): Date | null {
  if (!DATE.test(text) && !DATE_TIME.test(text)) return null;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return null;
  // Date takes 31 February for 3 March.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text.slice(0, 10)) return null;
  return DATE.test(text) ? new Date(at.getTime() + DAY_BEGINS_MS[zone]) : at;
}
