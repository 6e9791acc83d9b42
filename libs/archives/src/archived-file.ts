import type { ArchiveKeyRow } from '@constancia/storage';
import { Column, PrimaryColumn } from 'typeorm';

/** What the database keeps of a file with old rows of a tenant, which it has no longer itself. Never altered. A history adds its own columns. */
export abstract class ArchivedFile {
  @Column('uuid') id: string;
  @PrimaryColumn('uuid') tenant_id: string;
  /** Numbers of the first and the last row: those of a tenant's history are numbered from 1, without a gap. */
  @Column('bigint') from_seq: number;
  @PrimaryColumn('bigint') through_seq: number;
  /** Of the oldest and of the newest row. */
  @Column('timestamptz') first_at: Date;
  @Column('timestamptz') last_at: Date;
  @Column('text') head_before: string;
  @Column('text') head_after: string;
  @Column('text', { nullable: true }) previous_sha256: string | null;
  @Column('text') object_key: string;
  @Column('bigint') bytes: number;
  @Column('text') sha256: string;
  /** RSASSA-PKCS1-v1_5 with SHA-256 over the file. */
  @Column('bytea') signature: Buffer;
  @Column('text') key_fingerprint: string;
  @Column('text') archived_by: string;
  @Column({ type: 'timestamptz', precision: 3 }) archived_at: Date;
}

/** A file as the tenant's export names it: what finds it and proves it. */
export function archiveLine<Archive extends ArchivedFile>(archive: Archive) {
  const { id: _, tenant_id: __, archived_by: ___, signature, ...line } = archive;
  return { ...line, signature: signature.toString('hex') };
}

/** What the files are checked with. */
export function archiveKeyLine({ fingerprint, public_key_pem, created_at }: ArchiveKeyRow): object {
  return { fingerprint: fingerprint.toString('hex'), public_key_pem, created_at };
}
