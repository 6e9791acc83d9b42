import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of signing.signing_settings: the key that a tenant set for its documents. The schema's functions write it. */
@Entity({ schema: 'signing', name: 'signing_settings' })
export class SigningSettingsRow {
  @PrimaryColumn('uuid') tenant_id: string;
  /** Alias in the key management service. */
  @Column('text') kms_key: string;
  /** Of a row of signing_key. */
  @Column('bytea') fingerprint: Buffer;
  /** Why the sealing run could not use the key when it tried last. */
  @Column('text', { nullable: true }) problem: 'key_unusable' | 'key_refused' | null;
  @Column('timestamptz', { nullable: true }) problem_at: Date | null;
  @Column('timestamptz') updated_at: Date;
}
