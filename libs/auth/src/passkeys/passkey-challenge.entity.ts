import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of passkey_challenge, in a schema that has passkeyChallengeTable: what a browser has to sign, once. */
@Entity('passkey_challenge')
export class PasskeyChallenge {
  /** SHA-256 of the challenge. */
  @PrimaryColumn('bytea') challenge_hash: Buffer;
  /** Of a registration: the session that asked for it. */
  @Column('uuid', { nullable: true }) session_id: string | null;
  @Column('timestamptz') expires_at: Date;
}
