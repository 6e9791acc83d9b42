import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A public key that archives of a module were signed with (archiveKeysSchema). */
@Entity('archive_key')
export class ArchiveKeyRow {
  /** SHA-256 of the SubjectPublicKeyInfo. */
  @PrimaryColumn('bytea') fingerprint: Buffer;
  @Column('text') key_arn: string;
  @Column('text') public_key_pem: string;
  @Column('timestamptz') created_at: Date;
}

/** The table of archiveKeysSchema. */
export const ARCHIVE_KEY_TABLES = [ArchiveKeyRow];
