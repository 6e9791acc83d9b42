import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TextMethod } from '../circuits/text-methods.ts';
import type { EnvelopeLocale } from '../envelope-records/envelope.entity.ts';

/** Mails that an envelope as a whole ends in: to several signers, by signing.enqueue_envelope_mails. */
export type EndingMail = 'completed' | 'declined' | 'voided' | 'expired';

/** not_me goes to the sender, all others to the signer. */
export type SignerMailKind = 'invitation' | 'reminder' | 'otp' | 'not_me' | EndingMail;

/** Everything that a row may be: a mail, or a code to the signer's phone. */
export type SignerMessageKind = SignerMailKind | TextMethod;

/** A mail that is to go out once, until the mail server has taken it and afterwards. */
@Entity({ schema: 'signing', name: 'signer_mail' })
export class SignerMail {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') envelope_id: string;
  @Column('uuid') signer_id: string;
  @Column('text') kind: SignerMessageKind;
  /** The code of an OTP, sealed, until the mail is out. */
  @Column('bytea', { nullable: true }) secret: Buffer | null;
  /** Two mails with the same words here are one. */
  @Column('text') dedupe: string;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') due_at: Date;
  /** After this it is of no use any more and is not sent. */
  @Column('timestamptz', { nullable: true }) expires_at: Date | null;
  @Column('integer') attempts: number;
  @Column('uuid', { nullable: true }) lease_token: string | null;
  @Column('timestamptz', { nullable: true }) lease_until: Date | null;
  @Column('timestamptz', { nullable: true }) sent_at: Date | null;
  @Column('timestamptz', { nullable: true }) failed_at: Date | null;
  /** What is shown to the tenant. */
  @Column('text', { nullable: true }) failure: string | null;
  /** null: the language of the envelope. */
  @Column('text', { nullable: true }) locale: EnvelopeLocale | null;
  @Column('text', { nullable: true }) waiting_for: 'owner' | 'room' | 'tenant' | null;
  /** The signer's address is that of the tenant's owner. */
  @Column('boolean') to_owner: boolean;
}
