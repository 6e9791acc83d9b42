import { Column, Entity, PrimaryColumn } from 'typeorm';

export const SIGNATURE_STATUSES = ['pending', 'signed', 'failed'] as const;
export type SignatureStatus = (typeof SIGNATURE_STATUSES)[number];

/**
 * A row of signing.signature_request, as far as the API reads it. Properties bear the names of the columns. After creation
 * only the sealing run changes it, through the schema's published functions.
 */
@Entity({ schema: 'signing', name: 'signature_request' })
export class SignatureRequest {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') template_id: string;
  @Column('text') subject_ref: string;
  @Column('text') status: SignatureStatus;
  @Column('integer') credits_debited: number;
  @Column('integer') credits_refunded: number;
  @Column('text', { nullable: true }) failure_code: string | null;
  @Column('text', { nullable: true }) failure_reason: string | null;
  @Column('bytea', { nullable: true }) document_sha256: Buffer | null;
  @Column('text', { nullable: true }) document_key: string | null;
  @Column('integer', { nullable: true }) document_size: number | null;
  @Column('text', { nullable: true }) kms_key_arn: string | null;
  @Column('bytea', { nullable: true }) signature: Buffer | null;
  @Column('text', { nullable: true }) signature_algorithm: string | null;
  @Column('timestamptz', { nullable: true }) signed_at: Date | null;
  @Column('timestamptz') created_at: Date;
}
