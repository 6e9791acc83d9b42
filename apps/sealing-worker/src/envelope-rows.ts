import type { FieldCondition } from '@constancia/contracts';
import type { CircuitSignerField, Locale, SignedSigner } from '@constancia/pdf-sealing';
import type { ClaimedRow } from './sealing-work.ts';

/** A row of claim_envelope_sealing_v2. */
export interface ClaimedEnvelope extends ClaimedRow {
  circuit_id: string;
  public_id: string;
  subject: string | null;
  locale: Locale;
  created_at: Date;
  all_signed_at: Date;
  /** In their order; times as Postgres writes them in JSON. */
  signers: { role: string; signed_at: string }[];
  /** Head of the trail at the last signature. */
  trail_seq: number;
  trail_hash: string;
  circuit_name: string;
  base_sha256: Buffer | null;
  base_key: string;
  base_bytes: number;
  page_count: number;
  fields: (CircuitSignerField & { visible_if?: FieldCondition })[];
}

/** A link of the trail about one signer; times as Postgres writes them in JSON. */
export interface EvidenceLink {
  type: string;
  at: string;
  user_agent: string | null;
  data: Record<string, unknown>;
}

/** A row of signers_to_seal_v3, opened. Personal data: never logged, never in an error. */
export interface SignerToSeal extends SignedSigner {
  id: string;
  consent_version: string;
  consent_locale: string;
  consent_sha256: Buffer;
  consented_at: Date;
  viewed_at: Date;
  document_shown_sha256: Buffer | null;
  auth: ('otp_email' | 'otp_sms' | 'otp_whatsapp' | 'access_code' | 'identity')[];
  authenticated_at: Date;
  signature_sha256: Buffer;
  signed_at: Date;
  signed_ip: string | null;
  evidence: EvidenceLink[];
}

/** A row of signers_to_seal_v3: the sealed data is in columns of its own, null in rows that are in the clear. */
export interface StoredSigner extends SignerToSeal {
  sealed_words: Buffer | null;
  envelope_key: Buffer | null;
  sealed_person: Buffer | null;
  sealed_values: Buffer | null;
  sealed_mark: Buffer | null;
  signer_key: Buffer | null;
  /** Of the sender, with the key of the envelope. */
  sender_values: Buffer | null;
}
