import { Column, Entity, PrimaryColumn } from 'typeorm';

export const SIGNATURE_STATUSES = ['pending', 'signed', 'failed'] as const;
export type SignatureStatus = (typeof SIGNATURE_STATUSES)[number];

/** A row of signing.signature_request. Properties bear the names of the columns. After creation only the sealing run changes it,
 * through the schema's published functions: what only those read is not selected. */
@Entity({ schema: 'signing', name: 'signature_request' })
export class SignatureRequest {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') template_id: string;
  @Column('text') subject_ref: string;
  /** The tenant's own reference and texts; not personal data. */
  @Column('text', { nullable: true }) external_ref: string | null;
  @Column('jsonb') metadata: Record<string, string>;
  /** In the clear: only of requests that the release before sealing wrote. */
  @Column('jsonb', { select: false }) merge_data: Record<string, string>;
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
  @Column('timestamptz', { select: false }) updated_at: Date;
  @Column('integer', { select: false }) attempts: number;
  @Column('integer', { select: false }) faults: number;
  @Column('integer', { select: false }) strandings: number;
  @Column('timestamptz', { select: false }) retry_at: Date;
  @Column('uuid', { nullable: true, select: false }) lease_token: string | null;
  @Column('timestamptz', { nullable: true, select: false }) lease_until: Date | null;
  @Column('text', { nullable: true, select: false }) traceparent: string | null;
  /** Of a waiting request; sealed with merge_key, which the tenant’s key wraps. */
  @Column('bytea', { nullable: true, select: false }) sealed_merge_data: Buffer | null;
  @Column('bytea', { nullable: true, select: false }) merge_key: Buffer | null;
}
