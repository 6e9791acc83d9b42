import type { ConsentMethod } from './consent.ts';
import type { DocumentType } from '@constancia/reference-data';
import type { LivenessMode } from './step-runs.ts';
import type { WalletLevel } from './wallet.ts';

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
    document_type: DocumentType;
    document_number: string;
    /** ISO 3166-1 alpha-2. */
    country: string;
    email: string;
    locale: 'es-CO' | 'en';
  } | null;
  /** The check was cancelled: its session ends, and none is opened for it. */
  cancel?: true;
}

/** The identity module answers, with the request's ids. */
export interface SignerIdentityResultMessage {
  v: 1;
  id: string;
  tenant_id: string;
  /** Queues.seal of a SignerIdentityResult. */
  sealed: string;
}

/** What was verified of a signer: everything but the name is evidence that trail and certificate state. Never a document number. */
export interface VerifiedSigner {
  /** As it stands on the document. */
  full_name: string;
  document_type: DocumentType;
  /** ISO 3166-1 alpha-2. */
  document_country: string;
  /** What the flow examined and accepted. */
  methods: SignerIdentityMethod[];
  /** Null: no face was in front of the camera. */
  liveness: LivenessMode | null;
  /** With method wallet: what it looked at, when (ISO time), and how the signer proved that the wallet is theirs. */
  kept?: { level: WalletLevel; verified_at: string; proved_by: ConsentMethod };
  /** ISO time. */
  verified_at: string;
  flow: { type: string; code: string; version: number };
  /** TypeID `fls_…` */
  session_id: string;
}

/** What trail and certificate state of a verified signer: no name, no number. */
export type IdentityEvidence = Omit<VerifiedSigner, 'full_name'>;

/** document: read and checked; face: compared with the document's portrait; wallet: a kept verification, instead of both. */
export type SignerIdentityMethod = 'document' | 'face' | 'wallet';

/**
 * Why no session was opened: the same request would be refused again. flow_not_suitable: the flow lacks a required document_upload or
 * face_match. insufficient_credits: the balance does not cover the flow.
 */
export const SIGNER_IDENTITY_REFUSALS = [
  'flow_not_published', 'flow_not_suitable', 'document_not_accepted', 'insufficient_credits',
] as const; // prettier-ignore
export type SignerIdentityRefusal = (typeof SIGNER_IDENTITY_REFUSALS)[number];

export type SignerIdentityResult =
  /**
   * The person can begin, or is under way. capture_url: null once the signing module has asked again without `open`.
   * lacks_credits: the next step cannot be taken until the tenant has more credits.
   */
  | { outcome: 'open'; capture_url: string | null; lacks_credits: boolean }
  | { outcome: 'in_review' }
  | { outcome: 'verified'; verified: VerifiedSigner }
  /** The same for every reason: neither signer nor sender learns why, so that nobody is warned. The session shows it to the tenant. */
  | { outcome: 'not_verified' }
  | { outcome: 'expired' }
  | { outcome: 'refused'; reason: SignerIdentityRefusal }
  /** As the signing module asked. */
  | { outcome: 'cancelled' }
  /** Asked how it stands, and no session has this id. */
  | { outcome: 'unknown' };
