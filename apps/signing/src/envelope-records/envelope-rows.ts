import type { SubjectKey } from '@constancia/personal-data';
import type { EnvelopeStatus, SignerStatus } from './envelope-states.ts';
import type { AuthMethod } from '../circuits/circuit-rows.ts';

export const ENVELOPE_LOCALES = ['es-CO', 'en'] as const;
export type EnvelopeLocale = (typeof ENVELOPE_LOCALES)[number];

/** What a sealing run waits for while the envelope is `sealing`. */
export const SETBACKS = ['kms', 'timestamps', 'storage', 'database', 'busy', 'internal'] as const;
export type Setback = (typeof SETBACKS)[number];

/** What an envelope is sealed with. `wrapped`: of a key that has no row yet. */
export interface EnvelopeKey {
  key: SubjectKey;
  wrapped: Buffer | null;
}

/** A row of signing.envelope, opened. Ids are UUIDs. */
export interface EnvelopeRow {
  id: string;
  tenant_id: string;
  circuit_id: string;
  /** 22 characters of base62: names the public verify page. */
  public_id: string;
  status: EnvelopeStatus;
  subject: string | null;
  message: string | null;
  locale: EnvelopeLocale;
  notify: boolean;
  credits_debited: number;
  credits_refunded: number;
  expires_at: Date;
  created_at: Date;
  updated_at: Date;
  ended_at: Date | null;
  /** Why the tenant voided it. */
  end_reason: string | null;
  /** Of the digest that the trail has of it. */
  end_reason_salt: Buffer | null;
  /** Head of the trail at the last signature so far. */
  trail_seq: number | null;
  trail_hash: string | null;
  failure_code: string | null;
  failure_reason: string | null;
  last_setback: Setback | null;
  document_sha256: Buffer | null;
  document_key: string | null;
  document_size: number | null;
  kms_key_arn: string | null;
  signature: Buffer | null;
  signature_algorithm: string | null;
  signed_at: Date | null;
  attempts: number;
  faults: number;
  strandings: number;
  retry_at: Date;
  lease_token: string | null;
  lease_until: Date | null;
  traceparent: string | null;
  /** What its words are sealed with; null while they are written in the clear. */
  key: EnvelopeKey | null;
}

/** A row of signing.envelope_signer, opened. Ids are UUIDs. */
export interface SignerRow {
  id: string;
  tenant_id: string;
  envelope_id: string;
  role: string;
  ord: number;
  email: string;
  name: string | null;
  /** personDigest, reasonDigest; null in rows of before, whose trails name the person, and of erased signers. */
  person_salt: Buffer | null;
  auth: AuthMethod[];
  auth_done: AuthMethod[];
  status: SignerStatus;
  /** SHA-256 of the token. */
  token_hash: Buffer;
  /** SignTokens.open. */
  token_sealed: Buffer;
  /** access-codes.ts */
  access_code_hash: string | null;
  consent_version: string | null;
  consent_locale: string | null;
  consent_sha256: Buffer | null;
  consented_at: Date | null;
  /** When the link was first opened. */
  viewed_at: Date | null;
  document_shown_sha256: Buffer | null;
  authenticated_at: Date | null;
  signature_type: 'typed' | 'drawn' | null;
  signature_text: string | null;
  signature_image: Buffer | null;
  signature_sha256: Buffer | null;
  field_values: Record<string, string | boolean>;
  signed_at: Date | null;
  signed_ip: string | null;
  declined_at: Date | null;
  decline_reason: string | null;
  otp_hash: Buffer | null;
  otp_expires_at: Date | null;
  otp_attempts: number;
  otp_sends: Date[];
  code_attempts: number;
  /** Wrong codes of all methods since the link was made: too many, and only a new link helps. */
  code_misses: number;
  code_locked_until: Date | null;
  reminded_at: Date | null;
  /** When an authenticated signer was first shown the document. */
  document_shown_at: Date | null;
  /** Since when the link is stopped, because somebody said that it reached the wrong person. */
  link_stopped_at: Date | null;
  /** When the link of a sealed envelope was replaced. */
  link_renewed_at: Date | null;
  /** Keyed digest of the values that were signed. */
  values_digest: Buffer | null;
  /** What the row is sealed with; null when it is in the clear. */
  key: SubjectKey | null;
}

/** Columns that a change of an envelope may write. */
export type EnvelopeColumns = Partial<
  Omit<EnvelopeRow, 'id' | 'tenant_id' | 'circuit_id' | 'public_id' | 'created_at' | 'key'>
>;

/** Columns that a change of a signer may write. */
export type SignerColumns = Partial<Omit<SignerRow, 'id' | 'tenant_id' | 'envelope_id' | 'role' | 'ord' | 'key'>>;
