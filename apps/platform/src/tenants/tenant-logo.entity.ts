import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The logo of a tenant, as it is served: a PNG. */
@Entity({ schema: 'platform', name: 'tenant_logo' })
export class TenantLogo {
  @PrimaryColumn('uuid') tenant_id: string;
  @Column('bytea') sha256: Buffer;
  @Column('integer') width: number;
  @Column('integer') height: number;
  @Column('bytea', { select: false }) bytes: Buffer;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
}
