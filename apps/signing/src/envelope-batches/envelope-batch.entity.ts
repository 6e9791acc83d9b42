import { BatchRecord } from '@constancia/batches';
import { Column, Entity } from 'typeorm';

/** What hinders a batch; `expired`: it was given up. */
export const BATCH_REASONS = ['insufficient_credits', 'mail_limit', 'internal_error', 'expired'] as const;
export type BatchReason = (typeof BATCH_REASONS)[number];

@Entity({ schema: 'signing', name: 'envelope_batch' })
export class EnvelopeBatch extends BatchRecord<BatchReason> {
  @Column('uuid') circuit_id: string;
}
