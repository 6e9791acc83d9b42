import { ChainedRow } from '@constancia/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An entry of a tenant's audit log: one chain per tenant. */
@Entity({ schema: 'platform', name: 'audit_entry' })
export class AuditEntryRow extends ChainedRow {
  @PrimaryColumn('uuid') tenant_id: string;
  @Column('text', { nullable: true }) module: 'platform' | 'identity' | 'compliance' | 'seal';
  @Column('text', { nullable: true }) actor_kind: 'key' | 'member' | 'system';
  @Column('text', { nullable: true }) actor_id: string | null;
  @Column('text', { nullable: true }) actor_name: string;
  /** As X-Actor said. */
  @Column('text', { nullable: true }) on_behalf_of: string | null;
  @Column('text', { nullable: true }) object_kind: string;
  @Column('text', { nullable: true }) object_id: string | null;
  /** The address that the request came from. */
  @Column('text', { nullable: true }) origin: string | null;
}
