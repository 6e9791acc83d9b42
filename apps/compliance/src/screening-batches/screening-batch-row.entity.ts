import { BatchRowRecord } from '@constancia/batches';
import { Column, Entity } from 'typeorm';

/** A row of a batch that is done. */
@Entity({ schema: 'compliance', name: 'screening_batch_row' })
export class ScreeningBatchRow extends BatchRowRecord {
  /** null: the subject was erased after the batch was accepted. */
  @Column('uuid', { nullable: true }) screening_id: string | null;
}
