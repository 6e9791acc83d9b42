import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The retention of a tenant as the release before writes it: a trigger carries it over to the platform, where it is read. */
@Entity({ schema: 'identity', name: 'tenant_settings' })
export class TenantSettings {
  @PrimaryColumn('uuid') tenant_id: string;
  @Column('integer') image_retention_days: number;
  @Column('integer') session_retention_days: number;
  @Column('integer') legal_hold_days: number;
  @Column({ type: 'timestamptz', precision: 3 }) updated_at: Date;
}
