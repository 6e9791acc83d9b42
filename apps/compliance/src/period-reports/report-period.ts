import { IsInstant, periodOf } from '@constancia/http';
import { ValidationError } from '@constancia/problem-json';
import { ApiProperty } from '@nestjs/swagger';

/** A leap year. */
export const MOST_DAYS = 366;
const DAY_MS = 86_400_000;

/** Half-open: from <= t < to. */
export interface ReportPeriod {
  from: Date;
  to: Date;
}

export class PeriodQuery {
  @ApiProperty({
    description:
      'Cases opened, and screenings made, from here on: a day in America/Bogota, or a date-time. Not in the future.',
    example: '2026-11-01',
  })
  @IsInstant()
  from: string;

  @ApiProperty({
    description: `Up to here: the end of a day in America/Bogota, or a date-time (exclusive). At most ${MOST_DAYS} days after from.`,
    example: '2026-11-30',
  })
  @IsInstant()
  to: string;
}

/** Throws ValidationError for a period that begins in the future, ends before it begins, or is too long. */
export function reportPeriod(query: PeriodQuery): ReportPeriod {
  const { from, to } = periodOf(query, '/query/to') as ReportPeriod;
  if (from.getTime() > Date.now() + DAY_MS) {
    // east of Bogotá it is tomorrow already: a caller's own day is not refused
    throw new ValidationError([
      {
        pointer: '/query/from',
        code: 'out_of_range',
        detail: 'Must not be in the future: nothing is to report of it yet.',
      },
    ]);
  }
  if (to.getTime() - from.getTime() <= MOST_DAYS * DAY_MS) return { from, to };
  throw new ValidationError([
    { pointer: '/query/to', code: 'out_of_range', detail: `Must be at most ${MOST_DAYS} days after from.` },
  ]);
}
