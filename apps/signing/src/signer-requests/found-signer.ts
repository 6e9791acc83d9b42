import type { BrandRow } from '@constancia/contracts';
import type { CredentialHolder } from '@constancia/http';
import type { AuthMethod, Circuit, CircuitField } from '../circuits/circuit.entity.ts';
import type { EnvelopeRow, SignerRow } from '../envelope-records/envelope-rows.ts';
import type { EnvelopeStatus } from '../envelope-records/envelope-states.ts';
import type { FieldValues } from './field-values.ts';

// prettier-ignore
type OfSigner = Pick<
  SignerRow,
  | 'tenant_id' | 'envelope_id' | 'role' | 'name' | 'email' | 'phone' | 'status' | 'auth' | 'auth_done' | 'consented_at' | 'signed_at'
  | 'otp_method' | 'otp_expires_at' | 'otp_attempts' | 'otp_sends' | 'phone_otp_sends' | 'code_misses' | 'code_attempts' | 'code_locked_until' | 'field_values'
  | 'document_shown_sha256' | 'document_shown_at' | 'values_digest'
>;
// prettier-ignore
type OfEnvelope = Pick<
  EnvelopeRow, 'public_id' | 'subject' | 'message' | 'locale' | 'expires_at' | 'document_sha256' | 'document_key'
>;
type OfPublishedCircuit = Pick<Circuit, 'document_access'> & {
  [Column in 'page_count' | 'base_pdf_sha256' | 'base_pdf_key']: NonNullable<Circuit[Column]>;
};

/** What one signer may know of the envelope: nothing of the others. Ids are UUIDs. */
export interface SignerFacts extends OfSigner, OfEnvelope, OfPublishedCircuit {
  tenant_display_name: string;
  tenant_brand: BrandRow;
  envelope_status: EnvelopeStatus;
  signer_id: string;
  otp_sent: boolean;
  /** The signer's own, in their order, without those that what others filled in hides. */
  fields: CircuitField[];
  /** What the sender suggests. */
  prefilled: FieldValues;
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
  /** The frame of a tenant's page that asks (embed session), by the origin of that page; undefined: the page of the link, or a program. */
  frame?: { origin: string | null };
}
