import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Where the sealing sweep stands in a table. */
@Entity({ schema: 'compliance', name: 'sealing_progress' })
export class SealingProgress {
  @PrimaryColumn('text') table_name: string;
  @Column('uuid') after_id: string;
  @Column('timestamptz', { nullable: true }) done_at: Date | null;
}
