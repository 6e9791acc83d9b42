import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of a batch that is done. */
@Entity({ schema: 'compliance', name: 'screening_batch_row' })
export class ScreeningBatchRow {
  @Column('uuid') tenant_id: string;
  @PrimaryColumn('uuid') batch_id: string;
  /** From 1. */
  @PrimaryColumn('integer') row_number: number;
  /** null: the subject was erased after the batch was accepted. */
  @Column('uuid', { nullable: true }) screening_id: string | null;
}
