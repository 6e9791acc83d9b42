import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A grant that waits for a second operator, or no longer does. */
@Entity({ schema: 'platform', name: 'pending_grant' })
export class PendingGrant {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') ref_id: string;
  @Column('text') reference: string;
  @Column('integer') credits: number;
  @Column('text') reason: string;
  @Column('text') requested_by: string;
  @Column({ type: 'timestamptz', precision: 3 }) requested_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
  @Column('text') status: 'pending' | 'approved' | 'withdrawn';
  @Column('text', { nullable: true }) ended_by: string | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) ended_at: Date | null;
}
