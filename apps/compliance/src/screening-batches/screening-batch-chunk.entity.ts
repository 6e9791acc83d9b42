import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Rows of a batch that are not screened yet. */
@Entity({ schema: 'compliance', name: 'screening_batch_chunk' })
export class ScreeningBatchChunk {
  @Column('uuid') tenant_id: string;
  @PrimaryColumn('uuid') batch_id: string;
  /** Rows count from 1. */
  @PrimaryColumn('integer') first_row: number;
  @Column('integer') rows: number;
  /** JSON of the rows, under the tenant's key. */
  @Column('bytea') sealed: Buffer;
}
