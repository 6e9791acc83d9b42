/**
 * The signing module asks the identity module to verify who a signer is (`auth: ["identity"]`). The same id may come again: the session
 * is opened once, and each message is answered with how it stands.
 */
export interface SignerIdentityMessage {
  v: 1;
  /** The UUID of the check. */
  id: string;
  tenant_id: string;
  /** Queues.seal of a SignerIdentityRequest. */
  sealed: string;
}

export interface SignerIdentityRequest {
  /** Null: the session was opened before, only how it stands is asked. */
  open: {
    flow: { type: string; code: string };
    document_type: string;
    document_number: string;
    /** ISO 3166-1 alpha-2. */
    country: string;
    email: string;
    locale: 'es-CO' | 'en';
  } | null;
}

/** The identity module answers, with the request's ids. */
export interface SignerIdentityResultMessage {
  v: 1;
  id: string;
  tenant_id: string;
  /** Queues.seal of a SignerIdentityResult. */
  sealed: string;
}

/** What was verified of a signer: everything but the name is evidence that trail and certificate state. */
export interface VerifiedSigner {
  /** As it stands on the document. */
  full_name: string;
  document_type: string;
  document_country: string;
  /** ISO time. */
  verified_at: string;
  flow: { type: string; code: string; version: number };
  /** TypeID `fls_…` */
  session_id: string;
}

export type SignerIdentityResult =
  /** The person can begin, or is under way. */
  | { outcome: 'open'; capture_url: string | null }
  | { outcome: 'in_review' }
  | { outcome: 'verified'; verified: VerifiedSigner }
  /** For whatever reason: the signer and the sender learn no more (no tipping-off); the tenant sees the session. */
  | { outcome: 'not_verified' }
  | { outcome: 'expired' }
  /** No session was opened, and the same request would be refused again. */
  | { outcome: 'refused'; reason: 'flow_not_published' | 'document_not_accepted' }
  /** Asked how it stands, and no session has this id. */
  | { outcome: 'unknown' };
