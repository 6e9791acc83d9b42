import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How long each module keeps data of a tenant, in days; null: the default (RETENTION_PERIODS). */
@Entity({ schema: 'platform', name: 'tenant_retention' })
export class TenantRetention {
  @PrimaryColumn('uuid') tenant_id: string;
  @Column('integer', { nullable: true }) identity_image_days: number | null;
  @Column('integer', { nullable: true }) identity_session_days: number | null;
  @Column('integer', { nullable: true }) identity_legal_hold_days: number | null;
  @Column('integer', { nullable: true }) compliance_blocked_days: number | null;
  @Column('integer', { nullable: true }) signing_unsealed_envelope_days: number | null;
  @Column({ type: 'timestamptz', precision: 3 }) updated_at: Date;
}
