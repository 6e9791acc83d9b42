import type { CredentialHolder } from '@constancia/http';
import type { AuthMethod, CircuitField, DocumentAccess } from '../circuits/circuit-rows.ts';
import type { EnvelopeLocale } from '../envelope-records/envelope-rows.ts';
import type { EnvelopeStatus, SignerStatus } from '../envelope-records/envelope-states.ts';
import type { FieldValues } from './field-values.ts';

/** What one signer may know of the envelope: nothing of the others. Ids are UUIDs. */
export interface SignerFacts {
  tenant_id: string;
  tenant_display_name: string;
  envelope_id: string;
  public_id: string;
  envelope_status: EnvelopeStatus;
  subject: string | null;
  message: string | null;
  locale: EnvelopeLocale;
  expires_at: Date;
  signer_id: string;
  role: string;
  name: string | null;
  email: string;
  status: SignerStatus;
  auth: AuthMethod[];
  auth_done: AuthMethod[];
  consented_at: Date | null;
  signed_at: Date | null;
  otp_sent: boolean;
  otp_expires_at: Date | null;
  otp_attempts: number;
  otp_sends: Date[];
  code_misses: number;
  code_attempts: number;
  code_locked_until: Date | null;
  field_values: Record<string, string | boolean>;
  document_shown_sha256: Buffer | null;
  /** The signer's own, in their order. */
  fields: CircuitField[];
  page_count: number;
  base_pdf_sha256: Buffer;
  base_pdf_key: string;
  document_access: DocumentAccess;
  document_sha256: Buffer | null;
  document_key: string | null;
  document_shown_at: Date | null;
  /** Keyed digest of the values that were signed. */
  values_digest: Buffer | null;
  /** What the proof that came with the request covers; null without a valid one. */
  proof_methods: AuthMethod[] | null;
  proof_created_at: Date | null;
  proof_expires_at: Date | null;
  /** What was entered so far; null without a proof of all methods. */
  draft: FieldValues | null;
}

/** The signer that a link belongs to, as the look-up of its token found it. */
export interface FoundSigner extends CredentialHolder {
  /** SHA-256 of the token. */
  tokenHash: Buffer;
  /** SHA-256 of the proof that came with the request, whether it is valid or not. */
  proofHash: Buffer | null;
  facts: SignerFacts;
}
