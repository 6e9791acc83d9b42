import { BatchRowRecord } from '@constancia/batches';
import { Column, Entity } from 'typeorm';

/** Why no envelope was made of a row. */
export const ROW_ERRORS = ['recipient_erased', 'mails_per_address'] as const;
export type RowErrorCode = (typeof ROW_ERRORS)[number];

/** A row of a batch that is done. */
@Entity({ schema: 'signing', name: 'envelope_batch_row' })
export class EnvelopeBatchRow extends BatchRowRecord {
  /** null: see `error`. */
  @Column('uuid', { nullable: true }) envelope_id: string | null;
  /** The tenant's own reference of the row. */
  @Column('text', { nullable: true }) external_ref: string | null;
  @Column('text', { nullable: true }) error: RowErrorCode | null;
}
