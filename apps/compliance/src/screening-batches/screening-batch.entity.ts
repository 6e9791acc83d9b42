import { BatchRecord } from '@constancia/batches';
import { Column, Entity } from 'typeorm';

/** What hinders a batch; `expired`: it was given up. */
export const BATCH_REASONS = [
  'insufficient_credits',
  'no_published_validation',
  'lists_unavailable',
  'internal_error',
  'expired',
] as const;
export type BatchReason = (typeof BATCH_REASONS)[number];

@Entity({ schema: 'compliance', name: 'screening_batch' })
export class ScreeningBatch extends BatchRecord<BatchReason> {
  @Column('text') validation_code: string;
}
