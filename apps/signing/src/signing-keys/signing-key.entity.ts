import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A row of signing.signing_key: a public key that documents were signed with. The sealing run registers the platform's, PUT
 * /v1/signing-settings those of tenants.
 */
@Entity({ schema: 'signing', name: 'signing_key' })
export class SigningKey {
  /** SHA-256 of the SubjectPublicKeyInfo DER. */
  @PrimaryColumn('bytea') fingerprint: Buffer;
  @Column('text') key_arn: string;
  @Column('text') algorithm: string;
  @Column('text') public_key_pem: string;
  @Column('timestamptz') created_at: Date;
  /** X.509; null until the sealing run has published it. */
  @Column('bytea', { nullable: true }) certificate_der: Buffer | null;
  /** Its issuers', the nearest first; empty when the key issued it to itself. */
  @Column('bytea', { array: true }) certificate_chain_der: Buffer[];
  /** Null: the platform's. */
  @Column('uuid', { nullable: true }) tenant_id: string | null;
  @Column('text') status: 'active' | 'retired';
}
