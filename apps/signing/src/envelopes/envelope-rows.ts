import type { SubjectKey } from '@constancia/personal-data';
import type { EnvelopeKey } from './envelope-secrets.ts';
import type { EnvelopeStatus, SignerStatus } from './envelope-states.ts';

export const AUTH_METHODS = ['otp_email', 'access_code'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

export const ENVELOPE_LOCALES = ['es-CO', 'en'] as const;
export type EnvelopeLocale = (typeof ENVELOPE_LOCALES)[number];

export const CIRCUIT_STATUSES = ['draft', 'published', 'deprecated'] as const;
export type CircuitStatus = (typeof CIRCUIT_STATUSES)[number];

export const FIELD_TYPES = ['signature', 'initials', 'name', 'date', 'text', 'checkbox'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** When a signer may look at the document: with the link alone, or only once authenticated. */
export const DOCUMENT_ACCESS = ['link', 'authenticated'] as const;
export type DocumentAccess = (typeof DOCUMENT_ACCESS)[number];

/** A role of a circuit. Signers of the same order sign in parallel; a higher order waits for the lower ones. */
export interface CircuitSigner {
  role: string;
  /** What the signer proves, in this order. Never empty. */
  auth: AuthMethod[];
  order: number;
}

/** A box on the base PDF that one role fills in. Points; x, y: lower-left corner, from that of the page as a viewer shows it. */
export interface CircuitField {
  key: string;
  /** From 1. */
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
  type: FieldType;
  /** The role whose field it is. */
  signer: string;
  required: boolean;
  label?: string;
}

export interface CircuitWarning {
  code: string;
  detail: string;
}

/** A row of signing.circuit. The base PDF's columns are null, all together, until it is uploaded. */
export interface CircuitRow {
  id: string;
  tenant_id: string;
  code: string;
  name: string;
  version: number;
  status: CircuitStatus;
  base_pdf_sha256: Buffer | null;
  base_pdf_key: string | null;
  base_pdf_size: number | null;
  /** null also when the PDF cannot be read. */
  page_count: number | null;
  warnings: CircuitWarning[];
  signers: CircuitSigner[];
  fields: CircuitField[];
  document_access: DocumentAccess;
  created_at: Date;
  published_at: Date | null;
}

/** What a sealing run waits for while the envelope is `sealing`. */
export const SETBACKS = ['kms', 'timestamps', 'storage', 'database', 'busy', 'internal'] as const;
export type Setback = (typeof SETBACKS)[number];

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
