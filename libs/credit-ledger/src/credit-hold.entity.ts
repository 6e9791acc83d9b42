import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Credits set aside for work whose outcome is open. */
@Entity({ schema: 'platform', name: 'credit_hold' })
export class CreditHold {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('text') module: string;
  @Column('text') ref_type: string;
  @Column('uuid') ref_id: string;
  @Column('bigint') amount: number;
  @Column('text') status: 'held' | 'captured' | 'released';
  @Column('timestamptz') expires_at: Date;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz', { nullable: true }) settled_at: Date | null;
}
