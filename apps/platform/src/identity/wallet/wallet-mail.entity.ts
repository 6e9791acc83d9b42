import { Column, Entity, PrimaryColumn } from 'typeorm';

export type WalletMailKind =
  | 'offer_code'
  | 'address_taken'
  | 'kept'
  | 'other_address'
  | 'sign_in_code'
  | 'presentation'
  | 'consent_code'
  | 'credential_code'
  | 'passkey_added'
  | 'passkey_removed'
  | 'passkey_refused'
  | 'recovery_code'
  | 'recovery_cooling'
  | 'recovery_cancelled'
  | 'recovery_completed'
  | 'recovery_expired';

/** A row of identity.wallet_mail: a mail that waits to be sent. Its address is where the row points to. */
@Entity({ schema: 'identity', name: 'wallet_mail' })
export class WalletMail {
  @PrimaryColumn('uuid') id: string;
  @Column('text') kind: WalletMailKind;
  @Column('uuid', { nullable: true }) tenant_id: string | null;
  @Column('uuid', { nullable: true }) session_id: string | null;
  @Column('uuid', { nullable: true }) wallet_id: string | null;
  /** Of a code for signing in: whether a wallet has the contact is looked at when the mail is written. */
  @Column('bytea', { nullable: true }) contact_index: Buffer | null;
  /** The request that the mail is about. */
  @Column('uuid', { nullable: true }) presentation_id: string | null;
  /** The offer whose code is mailed. */
  @Column('uuid', { nullable: true }) credential_offer_id: string | null;
  /** The recovery that the mail is about. */
  @Column('uuid', { nullable: true }) recovery_id: string | null;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') due_at: Date;
  @Column('integer') attempts: number;
}
