import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that statements were sealed with, and the certificate that it issued to itself. */
@Entity({ schema: 'platform', name: 'statement_key' })
export class StatementKeyRow {
  /** SHA-256 of the SubjectPublicKeyInfo. */
  @PrimaryColumn('bytea') fingerprint: Buffer;
  @Column('text') key_arn: string;
  @Column('text') public_key_pem: string;
  @Column('bytea') certificate_der: Buffer;
  @Column('timestamptz') created_at: Date;
}
