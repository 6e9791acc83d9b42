import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The settings of a tenant. */
@Entity({ schema: 'compliance', name: 'tenant_settings' })
export class TenantSettings {
  @PrimaryColumn('uuid') tenant_id: string;
  @Column('text') four_eyes: 'off' | 'onu' | 'all';
  @Column('boolean') monitoring: boolean;
  @Column('timestamptz') updated_at: Date;
  @Column('boolean') trusted_actor: boolean;
  @Column('boolean') publish_four_eyes: boolean;
}
