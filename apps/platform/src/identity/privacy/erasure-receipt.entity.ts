import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Proof of an erasure. Ids are UUIDs. */
@Entity({ schema: 'identity', name: 'erasure_receipt' })
export class ErasureReceipt {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') subject_id: string;
  @Column({ type: 'timestamptz', precision: 3 }) erased_at: Date;
  @Column('boolean') legal_hold: boolean;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) legal_hold_until: Date | null;
  @Column('integer') assets: number;
}
