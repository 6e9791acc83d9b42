import type { Acting } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export const VALIDATION_STATUSES = ['draft', 'published', 'deprecated'] as const;
export type ValidationStatus = (typeof VALIDATION_STATUSES)[number];

/** Who published a draft first, where a second person has to, and what its rules were then. */
export interface Publication extends Acting {
  /** SHA-256, hex. */
  rules_hash: string;
  /** ISO 8601. */
  at: string;
}

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
  /** Of a draft that waits for a second person. */
  @Column('jsonb', { nullable: true }) publication: Publication | null;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') updated_at: Date;
  @Column('timestamptz', { nullable: true }) published_at: Date | null;
  @Column('timestamptz', { nullable: true }) deprecated_at: Date | null;
}
