import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Another address for the owner of a tenant, which waits until it is proven. */
@Entity({ schema: 'platform', name: 'owner_email_change' })
export class OwnerEmailChange {
  @PrimaryColumn('uuid') tenant_id: string;
  /** Another one for each request: tokens and mails of an earlier one end with it. */
  @Column('uuid') id: string;
  /** Null: proven, stopped or withdrawn. */
  @Column('text', { nullable: true }) email: string | null;
  /** The owner whose own address changes; null: the address of another owner becomes the tenant's. */
  @Column('uuid', { nullable: true }) member_id: string | null;
  @Column('bytea', { nullable: true }) proof_hash: Buffer | null;
  @Column('bytea', { nullable: true }) stop_hash: Buffer | null;
  @Column({ type: 'timestamptz', precision: 3 }) requested_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
  /** Requests of the past day: each mails an address that may be a stranger's. */
  @Column('timestamptz', { array: true }) asked_at: Date[];
}
