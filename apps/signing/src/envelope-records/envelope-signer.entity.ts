import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuthMethod } from '../circuits/circuit.entity.ts';
import type { OtpMethod } from '../circuits/text-methods.ts';
import type { SignerStatus } from './envelope-states.ts';

/** A row of signing.envelope_signer. Sealed columns: with the key of its id; all null in a row that is in the clear, and in one that was
 * erased. */
@Entity({ schema: 'signing', name: 'envelope_signer' })
export class EnvelopeSigner {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('uuid') envelope_id: string;
  @Column('text') role: string;
  @Column('integer') ord: number;
  @Column('text') email: string;
  @Column('text', { nullable: true }) name: string | null;
  @Column('text', { array: true }) auth: AuthMethod[];
  @Column('text', { array: true }) auth_done: AuthMethod[];
  @Column('text') status: SignerStatus;
  /** SHA-256 of the token. */
  @Column('bytea') token_hash: Buffer;
  /** SignTokens.open. */
  @Column('bytea') token_sealed: Buffer;
  /** access-codes.ts */
  @Column('text', { nullable: true }) access_code_hash: string | null;
  @Column('text', { nullable: true }) consent_version: string | null;
  @Column('text', { nullable: true }) consent_locale: string | null;
  @Column('bytea', { nullable: true }) consent_sha256: Buffer | null;
  @Column('timestamptz', { nullable: true }) consented_at: Date | null;
  /** When the link was first opened. */
  @Column('timestamptz', { nullable: true }) viewed_at: Date | null;
  @Column('bytea', { nullable: true }) document_shown_sha256: Buffer | null;
  @Column('timestamptz', { nullable: true }) authenticated_at: Date | null;
  @Column('text', { nullable: true }) signature_type: 'typed' | 'drawn' | null;
  @Column('text', { nullable: true }) signature_text: string | null;
  @Column('bytea', { nullable: true }) signature_image: Buffer | null;
  @Column('bytea', { nullable: true }) signature_sha256: Buffer | null;
  @Column('jsonb') field_values: Record<string, string | boolean>;
  @Column('timestamptz', { nullable: true }) signed_at: Date | null;
  @Column('text', { nullable: true }) signed_ip: string | null;
  @Column('timestamptz', { nullable: true }) declined_at: Date | null;
  @Column('text', { nullable: true }) decline_reason: string | null;
  @Column('bytea', { nullable: true }) otp_hash: Buffer | null;
  @Column('timestamptz', { nullable: true }) otp_expires_at: Date | null;
  @Column('integer') otp_attempts: number;
  @Column('timestamptz', { array: true }) otp_sends: Date[];
  /** How the code was sent that otp_hash is of; null: by mail. */
  @Column('text', { nullable: true }) otp_method: OtpMethod | null;
  /** When codes were sent to the phone. */
  @Column('timestamptz', { array: true }) phone_otp_sends: Date[];
  @Column('integer') code_attempts: number;
  /** Wrong codes of all methods since the link was made: too many, and only a new link helps. */
  @Column('integer') code_misses: number;
  @Column('timestamptz', { nullable: true }) code_locked_until: Date | null;
  @Column('timestamptz', { nullable: true }) reminded_at: Date | null;
  /** When the schedule of the envelope reminds the signer next. */
  @Column('timestamptz', { nullable: true }) reminder_due_at: Date | null;
  /** By the schedule. */
  @Column('integer') reminders_sent: number;
  /** personDigest, reasonDigest; null in rows of before, whose trails name the person, and of erased signers. */
  @Column('bytea', { nullable: true }) person_salt: Buffer | null;
  /** When an authenticated signer was first shown the document. */
  @Column('timestamptz', { nullable: true }) document_shown_at: Date | null;
  /** Since when the link is stopped, because somebody said that it reached the wrong person. */
  @Column('timestamptz', { nullable: true }) link_stopped_at: Date | null;
  /** When the link of a sealed envelope was replaced. */
  @Column('timestamptz', { nullable: true }) link_renewed_at: Date | null;
  /** Keyed digest of the values that were signed. */
  @Column('bytea', { nullable: true }) values_digest: Buffer | null;
  @Column('bytea', { nullable: true }) sealed_person: Buffer | null;
  /** What a signer is found by. */
  @Column('bytea', { nullable: true }) email_index: Buffer | null;
  /** What the sender suggests for the signer's fields; erased when the envelope ends. */
  @Column('bytea', { nullable: true }) sealed_prefill: Buffer | null;
  @Column('bytea', { nullable: true }) sealed_values: Buffer | null;
  @Column('bytea', { nullable: true }) sealed_mark: Buffer | null;
}
