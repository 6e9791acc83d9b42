import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A file in the object store with old entries of an account, which the ledger has no longer. Never altered. */
@Entity({ schema: 'platform', name: 'ledger_archive' })
export class LedgerArchive {
  @Column('uuid') id: string;
  @PrimaryColumn('uuid') tenant_id: string;
  @Column('bigint') from_seq: number;
  @PrimaryColumn('bigint') through_seq: number;
  @Column('bigint') balance_before: number;
  @Column('bigint') balance_after: number;
  /** Of the oldest and of the newest entry. */
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
