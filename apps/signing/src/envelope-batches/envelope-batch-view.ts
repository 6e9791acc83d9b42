import { BATCH_STATUSES, type BatchStatus } from '@constancia/batches';
import { PRICE, shape } from '@constancia/contracts';
import { METADATA, PageOf } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { CIRCUIT_ID_EXAMPLE } from '../circuits/circuit-view.ts';
import { BATCH_LIMITS } from './batch-limits.ts';
import { BATCH_REASONS, type BatchReason, type EnvelopeBatch } from './envelope-batch.entity.ts';

export class EnvelopeBatchView {
  @ApiProperty({ ...shape.id('evb'), example: 'evb_01hf7yat00fhs8z4d2jtnrrckx' })
  id: string;

  @ApiProperty({
    enum: BATCH_STATUSES,
    enumName: 'EnvelopeBatchStatus',
    description: 'processing and paused: it goes on by itself. The others are final.',
  })
  status: BatchStatus;

  @ApiProperty({
    enum: BATCH_REASONS,
    enumName: 'EnvelopeBatchReason',
    nullable: true,
    description:
      'Why it is paused or failed. insufficient_credits: it goes on within a minute once there are credits. mail_limit: a sandbox tenant ' +
      'has sent its mails of 24 hours; it goes on once there is room. internal_error: ours, tried again. expired: unfinished after ' +
      `${BATCH_LIMITS.days} days.`,
    example: null,
  })
  reason: BatchReason | null;

  @ApiProperty({ ...shape.id('cir'), example: CIRCUIT_ID_EXAMPLE })
  circuit_id: string;

  @ApiProperty({ ...shape.text(200), type: String, nullable: true, example: 'portfolio-2026-11' })
  external_ref: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', ...shape.text(METADATA.valueLength) },
    maxProperties: METADATA.members,
    example: { branch: 'chapinero' },
  })
  metadata: Record<string, string>;

  @ApiProperty({ ...shape.count(BATCH_LIMITS.rows), example: 2_500 })
  rows: number;

  @ApiProperty({ ...shape.count(BATCH_LIMITS.rows), description: 'Rows that are done.', example: 1_240 })
  processed: number;

  @ApiProperty({
    ...shape.count(BATCH_LIMITS.rows),
    description: 'Rows among them without an envelope: the results say why.',
    example: 0,
  })
  skipped: number;

  @ApiProperty({ ...shape.count(), example: 49_600 })
  credits_debited: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  finished_at: string | null;

  static of(batch: EnvelopeBatch): EnvelopeBatchView {
    return {
      id: typeId('evb', batch.id),
      status: batch.status as BatchStatus,
      reason: batch.reason,
      circuit_id: typeId('cir', batch.circuit_id),
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

export const creditsOf = ({ processed, skipped }: Pick<EnvelopeBatch, 'processed' | 'skipped'>): number =>
  (processed - skipped) * PRICE.envelope;

export class EnvelopeBatchPage extends PageOf(EnvelopeBatchView) {}
