import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who read what an erasure blocks, and why. */
@Entity({ schema: 'compliance', name: 'erasure_access' })
export class ErasureAccess {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') receipt_id: string;
  @Column('text') actor: string;
  @Column('text') reason: string;
  @Column({ type: 'timestamptz', precision: 3 }) at: Date;
}
