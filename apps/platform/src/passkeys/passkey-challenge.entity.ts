import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of platform.passkey_challenge: what a browser has to sign, once. */
@Entity({ schema: 'platform', name: 'passkey_challenge' })
export class PasskeyChallenge {
  /** SHA-256 of the challenge. */
  @PrimaryColumn('bytea') challenge_hash: Buffer;
  /** Of a registration: the session that asked for it. */
  @Column('uuid', { nullable: true }) session_id: string | null;
  @Column('timestamptz') expires_at: Date;
}
