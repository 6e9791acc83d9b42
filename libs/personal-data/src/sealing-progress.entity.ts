import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Where the sealing sweep stands in a table (sealingSweepSchema). */
@Entity('sealing_progress')
export class SealingProgress {
  @PrimaryColumn('text') table_name: string;
  /** SQL condition on a row `r`. */
  @Column('text') is_clear: string;
  @Column('uuid') after_id: string;
  @Column('timestamptz', { nullable: true }) done_at: Date | null;
}
