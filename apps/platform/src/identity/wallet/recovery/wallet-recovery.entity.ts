import type { RecoveryCheckInput, WalletRecoveryState } from '@constancia/contracts';
import type { Pose } from '@constancia/face-matching';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The passkey that is to be the only one of the wallet. Bytes in hex. */
export interface RecoveryPasskey {
  /** UUID that it gets. */
  id: string;
  credential_id: string;
  public_key: string;
  sign_count: number;
  transports: string[];
  backed_up: boolean;
}

/** A row of identity.wallet_recovery: anybody who named a contact to recover its wallet, which may be none. */
@Entity({ schema: 'identity', name: 'wallet_recovery' })
export class WalletRecovery {
  @PrimaryColumn('uuid') id: string;
  @Column('bytea') contact_index: Buffer;
  /** Null until a code proved the contact. */
  @Column('uuid', { nullable: true }) wallet_id: string | null;
  @Column('text') state: WalletRecoveryState;
  @Column('text', { nullable: true }) reason: string | null;
  @Column('bytea', { nullable: true }) code_hash: Buffer | null;
  @Column('timestamptz', { nullable: true }) code_until: Date | null;
  @Column('integer') wrong_codes: number;
  @Column('uuid', { nullable: true }) challenge_id: string | null;
  @Column('text', { array: true, nullable: true }) challenge_poses: Pose[] | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) challenge_issued_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) challenge_expires_at: Date | null;
  @Column('jsonb', { nullable: true }) passkey: RecoveryPasskey | null;
  /** PasskeyName. */
  @Column('bytea', { nullable: true }) passkey_sealed: Buffer | null;
  /** Comparisons of the face that were begun, without those that failed through a fault of ours. */
  @Column('integer') checks: number;
  /** What the engines are asked, while they are. */
  @Column('jsonb', { nullable: true }) check_input: RecoveryCheckInput | null;
  @Column('timestamptz', { nullable: true }) check_deadline: Date | null;
  @Column('uuid', { nullable: true }) lease_token: string | null;
  @Column('timestamptz', { nullable: true }) lease_until: Date | null;
  @Column('integer') claims: number;
  /** SHA-256 of the token in the notice. */
  @Column('bytea', { nullable: true }) cancel_hash: Buffer | null;
  @Column({ type: 'timestamptz', precision: 3 }) created_at: Date;
  @Column({ type: 'timestamptz', precision: 3 }) expires_at: Date;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) verified_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) effective_at: Date | null;
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) ended_at: Date | null;
}

/** A row of identity.wallet_recovery_picture: what the camera of the person took, until the engines have looked at it. */
@Entity({ schema: 'identity', name: 'wallet_recovery_picture' })
export class WalletRecoveryPicture {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') recovery_id: string;
  @Column('uuid') wallet_id: string;
  /** A JPEG (recoveryPictureRecord). */
  @Column('bytea') sealed: Buffer;
  @Column({ type: 'timestamptz', precision: 3 }) received_at: Date;
}
