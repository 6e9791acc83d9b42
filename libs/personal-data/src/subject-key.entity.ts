import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A subject's key (personalDataSchema). */
@Entity('subject_key')
export class SubjectKeyRow {
  @PrimaryColumn('uuid') tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  /** The tenant's own reference, when there is one. */
  @Column('text', { nullable: true }) ref: string | null;
  /** With the tenant's key; null once it is destroyed. */
  @Column('bytea', { nullable: true }) wrapped_key: Buffer | null;
  @Column('timestamptz') created_at: Date;
  /** Since when it seals nothing new. */
  @Column('timestamptz', { nullable: true }) closed_at: Date | null;
  @Column('timestamptz', { nullable: true }) destroyed_at: Date | null;
}
