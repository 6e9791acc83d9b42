import { Column, Entity, PrimaryColumn } from 'typeorm';

export const VALIDATION_STATUSES = ['draft', 'published', 'deprecated'] as const;
export type ValidationStatus = (typeof VALIDATION_STATUSES)[number];

/** A version of a set of rules. */
@Entity({ schema: 'compliance', name: 'validation' })
export class Validation {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('text') code: string;
  @Column('text') name: string;
  @Column('text', { nullable: true }) description: string | null;
  @Column('text') status: ValidationStatus;
  @Column('integer') version: number;
  /** SHA-256 of the rules; null while it is a draft. */
  @Column('bytea', { nullable: true }) rules_hash: Buffer | null;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') updated_at: Date;
  @Column('timestamptz', { nullable: true }) published_at: Date | null;
  @Column('timestamptz', { nullable: true }) deprecated_at: Date | null;
}
