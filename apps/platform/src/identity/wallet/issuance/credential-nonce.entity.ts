import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.credential_nonce: a nonce that was used. */
@Entity({ schema: 'identity', name: 'credential_nonce' })
export class CredentialNonce {
  /** SHA-256. */
  @PrimaryColumn('bytea') nonce_hash: Buffer;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
}
