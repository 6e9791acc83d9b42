import { shape } from '@constancia/contracts';
import { ApiOptional, IsInstant } from '@constancia/http';
import { DECISIONS, type Decision, SUBJECT_TYPES, type SubjectType } from '@constancia/rule-graph';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { SCREENING_ID_EXAMPLE } from '../example-ids.ts';
import { IsOptionalCode } from '../validations/validation-body.ts';

export const BACKTEST_LIMITS = { screenings: 100_000, usual: 10_000, changed: 100 } as const;

/** Which stored screenings a backtest takes. */
export class BacktestBody {
  @ApiPropertyOptional({ description: 'Screenings by this code; by default, by the code of the validation itself.' })
  @IsOptionalCode()
  validation_code?: string;

  @ApiOptional({
    description: 'Screenings from then on: a date-time, or a date (the whole day in America/Bogota).',
    example: '2026-11-01',
  })
  @IsInstant()
  from?: string;

  @ApiOptional({
    description: 'Screenings before then; a date (America/Bogota) includes that day.',
    example: '2026-11-30',
  })
  @IsInstant()
  to?: string;

  @ApiOptional({ default: BACKTEST_LIMITS.usual, description: 'At most so many, the newest first.' })
  @IsInt()
  @Min(1)
  @Max(BACKTEST_LIMITS.screenings)
  max?: number;
}

export class DecisionCountsView implements Record<Decision, number> {
  @ApiProperty({ ...shape.count(), example: 940 })
  approve: number;

  @ApiProperty({ ...shape.count(), example: 48 })
  review: number;

  @ApiProperty({ ...shape.count(), example: 12 })
  reject: number;
}

export class DecidedView {
  @ApiProperty({ enum: DECISIONS, enumName: 'Decision', example: 'approve' })
  decision: Decision;

  @ApiProperty({ ...shape.wide, example: 0 })
  score: number;
}

export class ChangedScreeningView {
  @ApiProperty({ ...shape.id('scr'), example: SCREENING_ID_EXAMPLE })
  screening_id: string;

  @ApiProperty({ ...shape.text(200), example: 'customer-417' })
  subject_ref: string;

  @ApiProperty({ enum: SUBJECT_TYPES, enumName: 'SubjectType', example: 'natural' })
  subject_type: SubjectType;

  @ApiProperty({ description: 'As stored.' })
  before: DecidedView;

  @ApiProperty({ description: 'By the validation that is tried.' })
  after: DecidedView;
}

export class BacktestView {
  @ApiProperty({ ...shape.count(), description: 'Screenings that were evaluated again.', example: 1000 })
  screenings: number;

  @ApiProperty({
    description: 'Whether these are all that were asked for: a backtest ends after 20 seconds.',
    example: true,
  })
  complete: boolean;

  @ApiProperty({ description: 'Decisions as stored.' })
  before: DecisionCountsView;

  @ApiProperty({ description: 'Decisions by the validation that is tried.' })
  after: DecisionCountsView;

  @ApiProperty({ ...shape.count(), description: 'Screenings with another decision.', example: 7 })
  changed_count: number;

  @ApiProperty({
    maxItems: BACKTEST_LIMITS.changed,
    type: () => [ChangedScreeningView],
    description: `Those with another decision, the newest first, at most ${BACKTEST_LIMITS.changed}.`,
  })
  changed: ChangedScreeningView[];

  @ApiProperty({
    type: 'object',
    additionalProperties: shape.count(),
    description: 'In how many screenings each rule fired, zeros included.',
    example: { 'SARLAFT-PEP-001': 31 },
  })
  rule_hits: Record<string, number>;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'Screenings of up to then are archived, and were not evaluated. null: none is archived.',
  })
  archived_until: string | null;

  @ApiProperty({ ...shape.count(), description: 'Subjects that would have a case: one each.', example: 44 })
  expected_cases: number;
}
