import type { SignatureMark } from '../fields/field-drawings.ts';
import type { Locale } from '../times.ts';

/** How a signer proved who they are. */
export type Authentication = CodeAuthentication | PhoneAuthentication | IdentityAuthentication;

interface CodeAuthentication {
  method: 'otp_email' | 'access_code';
  at: Date;
  /** Wrong codes before the right one. */
  failures: number;
}

interface PhoneAuthentication extends Omit<CodeAuthentication, 'method'> {
  method: 'otp_sms' | 'otp_whatsapp';
  /** The number, masked; null when the trail does not state it. */
  to: string | null;
}

interface IdentityAuthentication {
  method: 'identity';
  at: Date;
  /** Null when the trail does not state it. */
  verified: VerifiedIdentity | null;
}

/** Document and face were examined. liveness: how it was made sure that a live person was in front of the camera. */
export interface ExaminedIdentity {
  liveness: 'basic' | 'active';
}

/**
 * The signer gave a verification that they keep in a wallet: when it was made, what it looked at, and how they proved that the wallet is
 * theirs: by a code that was mailed to its address, or by a passkey.
 */
export interface KeptIdentity {
  keptSince: Date;
  level: 'document' | 'document_face' | 'document_face_liveness';
  provedBy: 'otp' | 'passkey';
}

/** What was verified of a signer, when and how. Never a document number. */
export interface VerifiedIdentity {
  at: Date;
  /** CC, CE, TI, PA, PPT */
  documentType: string;
  /** ISO 3166-1 alpha-2. */
  documentCountry: string;
  how: ExaminedIdentity | KeptIdentity;
  flow: { type: string; code: string; version: number };
  /** `fls_…` */
  sessionId: string;
}

/** What is known of one signer who signed. Digests are SHA-256 in hex. */
export interface CompletedSigner {
  name: string;
  email: string;
  role: string;
  linkOpenedAt: Date;
  /** When the document was shown to the signer, authenticated; null when the trail does not say so. */
  documentShownAt: Date | null;
  consent: { version: string; locale: string; sha256: string; at: Date };
  authentications: readonly Authentication[];
  signedAt: Date;
  /** Labels of the boxes that this signer ticked and that have no room for their label on the document. */
  ticked: readonly string[];
  ip: string | null;
  userAgent: string | null;
  /** Origin of the web page in whose frame the signature was given; null: on the signers' page itself. */
  frameOrigin: string | null;
  /** Of the document as it was shown to this signer. */
  documentShownSha256: string;
  signature: SignatureMark;
  signatureSha256: string;
}

/** All that the certificate of completion states. Digests are SHA-256 in hex. */
export interface CompletionFacts {
  locale: Locale;
  /** Points: of the document's first page, whose paper the certificate is made for. */
  page: { width: number; height: number };
  /** `env_…` */
  envelopeId: string;
  subject: string;
  /** Display name of who sent the envelope. */
  tenant: string;
  sentAt: Date;
  /** The document that all were sent, before anything was drawn on it. */
  document: { sha256: string; pages: number };
  signers: readonly CompletedSigner[];
  /** Of the chain of evidence, at the last signature. */
  head: { seq: number; hash: string };
  /** Public page, encoded in the QR code. */
  verifyUrl: string;
  /** The key that seals the document: SHA-256 of its SubjectPublicKeyInfo, and where its PEM file is. */
  key: { fingerprint: string; url: string };
}
