import { shape } from '@constancia/contracts';
import { ApiOptional, beforeId, IsInstant, OrderedPageQuery, periodOf } from '@constancia/http';
import type { Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';
import { BATCH_ERRORS } from './batch-limits.ts';
import type { BatchFilter } from './batches.ts';
import type { ReadBatch } from './read-batch.ts';
import { BATCH_STATUSES, type BatchStatus } from './batch-status.ts';

/** A row that is wrong. */
export class BatchRowErrorView {
  @ApiProperty({
    ...shape.count(),
    description: 'From 1, the header not counted; 0: the header, or the file.',
    example: 3,
  })
  row: number;

  @ApiProperty({ ...shape.count(), description: 'Line of the file on which the row begins.', example: 4 })
  line: number;

  @ApiProperty({ ...shape.text(1_000), example: '/rows/3/payload/birth_date' })
  pointer: string;

  @ApiProperty({ ...shape.word, example: 'wrong_format' })
  code: string;

  @ApiProperty({ ...shape.text(2_000), example: 'Must be a day of the calendar, YYYY-MM-DD.' })
  detail: string;
}

/** What a dry run found. */
export class BatchCheckView {
  @ApiProperty({ ...shape.count(), description: 'Rows that were read.', example: 25_000 })
  rows: number;

  @ApiProperty({ ...shape.count(), description: 'What the batch would cost.', example: 200_000 })
  credits: number;

  @ApiProperty({
    type: [BatchRowErrorView],
    maxItems: BATCH_ERRORS,
    description: `At most ${BATCH_ERRORS}: nothing is read beyond them.`,
  })
  errors: BatchRowErrorView[];

  @ApiPropertyOptional({
    type: [BatchRowErrorView],
    maxItems: BATCH_ERRORS,
    description:
      `What cannot be right but is no error, such as a NIT with another check digit: at most ${BATCH_ERRORS}. ` +
      'Left out when there is nothing.',
  })
  warnings?: BatchRowErrorView[];

  /** `price`: credits of a row. */
  static of({ rows, errors, warnings }: ReadBatch, price: number): BatchCheckView {
    return { rows, credits: rows * price, errors, ...(warnings.length > 0 && { warnings }) };
  }
}

export interface BatchListQuery extends OrderedPageQuery {
  status?: BatchStatus;
  external_ref?: string;
  from?: string;
  to?: string;
}

/** What the query of a list of batches extends. `enumName`: of their statuses in the API. */
export function BatchListQueryOf(enumName: string): Type<BatchListQuery> {
  class ListQuery extends OrderedPageQuery {
    @ApiOptional({ enumName })
    @IsIn(BATCH_STATUSES)
    status?: BatchStatus;

    @ApiOptional({ description: 'Only batches with exactly this reference.' })
    @IsString()
    @Length(1, 200)
    external_ref?: string;

    @ApiOptional({
      description: 'Only batches created from here on: a day in America/Bogota, or a date-time.',
      example: '2026-11-01',
    })
    @IsInstant()
    from?: string;

    @ApiOptional({
      description: 'Only batches created up to here: the end of a day in America/Bogota, or a date-time (exclusive).',
      example: '2026-11-30',
    })
    @IsInstant()
    to?: string;
  }
  return ListQuery;
}

/** The page of batches that a query asks for, and one more. Throws ValidationError. */
export function batchFilter(query: BatchListQuery): BatchFilter {
  return {
    status: query.status,
    externalRef: query.external_ref,
    created: periodOf(query, '/query/to'),
    afterId: beforeId(query),
    order: query.order,
    limit: query.limit + 1,
  };
}
