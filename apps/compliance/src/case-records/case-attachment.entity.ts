import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AttachmentType } from './attachment-types.ts';

/** A file that somebody attached to a case. Name and bytes are sealed with the key of the case's subject. */
@Entity({ schema: 'compliance', name: 'case_attachment' })
export class CaseAttachmentRow {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') case_id: string;
  @Column('uuid') subject_key_id: string;
  @Column('text') media_type: AttachmentType;
  @Column('integer') size_bytes: number;
  /** Of the bytes before they were sealed. */
  @Column('bytea') sha256: Buffer;
  @Column('bytea', { nullable: true }) sealed_name: Buffer | null;
  /** Up to 10 MiB: read for a download only. */
  @Column('bytea', { nullable: true, select: false }) sealed_bytes?: Buffer | null;
  @Column('text') attached_by: string;
  @Column({ type: 'timestamptz', precision: 3 }) attached_at: Date;
  /** When the legal duty to keep it ended: name and bytes are gone. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) erased_at: Date | null;
}
