import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of platform.tenant_closing: a tenant that an owner closes. */
@Entity({ schema: 'platform', name: 'tenant_closing' })
export class TenantClosing {
  @PrimaryColumn('uuid') tenant_id: string;
  @Column({ type: 'timestamptz', precision: 3 }) requested_at: Date;
  /** The member; gone once the tenant is closed. */
  @Column('uuid') requested_by: string;
  @Column('text') requested_by_name: string;
  @Column('text', { nullable: true }) reason: string | null;
  @Column({ type: 'timestamptz', precision: 3 }) closes_at: Date;
  /** When the owners were reminded of the end. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) reminded_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) closed_at: Date | null;
  /** At the end: available, and held by work under way. */
  @Column('bigint', { nullable: true }) credits_left: string | null;
  @Column('bigint', { nullable: true }) credits_held: string | null;
}
