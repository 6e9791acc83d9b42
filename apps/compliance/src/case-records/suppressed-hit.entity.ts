import type { ListCode } from '@constancia/reference-data';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A hit that a person found to be someone else. */
@Entity({ schema: 'compliance', name: 'suppressed_hit' })
export class SuppressedHit {
  @Column('uuid') tenant_id: string;
  @Column('text') subject_ref: string;
  @Column('text') subject_type: string;
  @PrimaryColumn('text') subject_hash: string;
  @PrimaryColumn('text') list: ListCode;
  @PrimaryColumn('text') entry_hash: string;
  @Column('text') entry_id: string;
  @PrimaryColumn('uuid') case_id: string;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) withdrawn_at: Date | null;
}
