import { BATCH_STATUSES, type BatchStatus } from '@constancia/batches';
import { PRICE, shape } from '@constancia/contracts';
import { OwnReferenceView, PageOf } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { BATCH_ID_EXAMPLE } from '../example-ids.ts';
import { BATCH_LIMITS } from './batch-limits.ts';
import { BATCH_REASONS, type BatchReason, type ScreeningBatch } from './screening-batch.entity.ts';

export class ScreeningBatchView extends OwnReferenceView {
  @ApiProperty({ ...shape.id('scb'), example: BATCH_ID_EXAMPLE })
  id: string;

  @ApiProperty({
    enum: BATCH_STATUSES,
    enumName: 'ScreeningBatchStatus',
    description: 'processing and paused: it goes on by itself. The others are final.',
  })
  status: BatchStatus;

  @ApiProperty({
    enum: BATCH_REASONS,
    enumName: 'ScreeningBatchReason',
    nullable: true,
    description:
      'Why it is paused or failed. insufficient_credits: it goes on within a minute once there are credits. no_published_validation: publish ' +
      'a validation of its code. lists_unavailable, internal_error: ours, tried again. expired: unfinished after ' +
      `${BATCH_LIMITS.days} days.`,
    example: null,
  })
  reason: BatchReason | null;

  @ApiProperty({ ...shape.code, example: 'default' })
  validation_code: string;

  @ApiProperty({ ...shape.count(BATCH_LIMITS.rows), example: 25_000 })
  rows: number;

  @ApiProperty({ ...shape.count(BATCH_LIMITS.rows), description: 'Rows that are done.', example: 12_400 })
  processed: number;

  @ApiProperty({
    ...shape.count(BATCH_LIMITS.rows),
    description: 'Rows among them without a screening: their subjects were erased after the batch was accepted.',
    example: 0,
  })
  skipped: number;

  @ApiProperty({ ...shape.count(), example: 99_200 })
  credits_debited: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  finished_at: string | null;

  static of(batch: ScreeningBatch): ScreeningBatchView {
    return {
      id: typeId('scb', batch.id),
      status: batch.status as BatchStatus,
      reason: batch.reason,
      validation_code: batch.validation_code,
      external_ref: batch.external_ref,
      metadata: batch.metadata,
      rows: batch.rows,
      processed: batch.processed,
      skipped: batch.skipped,
      credits_debited: creditsOf(batch),
      created_at: batch.created_at.toISOString(),
      finished_at: batch.finished_at?.toISOString() ?? null,
    };
  }
}

export const creditsOf = ({ processed, skipped }: Pick<ScreeningBatch, 'processed' | 'skipped'>): number =>
  (processed - skipped) * PRICE.screening;

export class ScreeningBatchPage extends PageOf(ScreeningBatchView) {}
