import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of signing.document_revision: a sealed document with long-term evidence behind it. It begins with the sealed document. */
@Entity({ schema: 'signing', name: 'document_revision' })
export class DocumentRevision {
  @PrimaryColumn('text') kind: 'signature' | 'envelope';
  @PrimaryColumn('uuid') document_id: string;
  /** 1: the first after the seal. */
  @PrimaryColumn('integer') number: number;
  @Column('uuid') tenant_id: string;
  @Column('text') level: 'B-LT' | 'B-LTA';
  @Column('bytea') document_sha256: Buffer;
  @Column('text') document_key: string;
  @Column('integer') document_size: number;
  @Column('text') kms_key_arn: string;
  /** Over document_sha256. */
  @Column('bytea') signature: Buffer;
  @Column('text') signature_algorithm: string;
  @Column('timestamptz') created_at: Date;
}
