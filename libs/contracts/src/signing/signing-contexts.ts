/**
 * What sealed personal data of the schema `signing` is bound to: the signing app seals and opens it, the sealing worker opens it. Ids are
 * UUIDs of rows.
 */
export const SIGNING_CONTEXT = {
  /** signature_request.sealed_merge_data: a text by placeholder. */
  mergeData: (requestId: string): string => `signature_request:${requestId}:merge_data`,
  /** envelope_signer.sealed_person: SignerPerson. */
  person: (signerId: string): string => `envelope_signer:${signerId}:person`,
  /** envelope_signer.sealed_values: SignerValues. */
  values: (signerId: string): string => `envelope_signer:${signerId}:values`,
  /** envelope_signer.sealed_mark: SignerMark. */
  mark: (signerId: string): string => `envelope_signer:${signerId}:mark`,
  /** envelope.sealed_values: SignerValues of the sender's fields. */
  senderValues: (envelopeId: string): string => `envelope:${envelopeId}:sender_values`,
  /** envelope_signer.sealed_prefill: SignerValues that the sender suggests. */
  prefill: (signerId: string): string => `envelope_signer:${signerId}:prefill`,
  /** envelope.sealed_words: EnvelopeWords. */
  words: (envelopeId: string): string => `envelope:${envelopeId}:words`,
  /** envelope.sealed_end_reason: EnvelopeEndReason. */
  endReason: (envelopeId: string): string => `envelope:${envelopeId}:end_reason`,
};

/** The sender's words. */
export interface EnvelopeWords {
  subject: string | null;
  message: string | null;
}

/** Why an envelope was voided. The trail has the digest of both. */
export interface EnvelopeEndReason {
  reason: string;
  /** Hexadecimal; null of what was written before trails had digests. */
  salt: string | null;
}

export interface SignerPerson {
  email: string;
  /** E.164; left out of a signer who has none. */
  phone?: string;
  name: string | null;
  /** Hexadecimal. */
  person_salt: string | null;
  decline_reason: string | null;
}

/** Of the signer's fields, by their keys. */
export type SignerValues = Record<string, string | boolean>;

/** A signature. */
export interface SignerMark {
  text: string | null;
  /** PNG in base64. */
  image: string | null;
}
