import { verify, X509Certificate } from 'node:crypto';
import type { AlgorithmIdentifier } from 'pkijs';
import { AUTHORITY_SIGNATURES } from '../pades/oids.ts';

/** Whether the key of a certificate signed these bytes: RSASSA-PKCS1-v1_5 or ECDSA, SHA-256 or longer. */
export function isSignedByAuthority(
  certificateDer: Buffer,
  { algorithm, tbs, signature }: { algorithm: AlgorithmIdentifier; tbs: Uint8Array; signature: Uint8Array },
): boolean {
  const digest = AUTHORITY_SIGNATURES[algorithm.algorithmId];
  if (!digest) return false;
  return verify(digest, tbs, new X509Certificate(certificateDer).publicKey, signature);
}

/** By how much the clock of an authority may be ahead. */
const CLOCK_SKEW_MS = 300_000;

/** Whether a statement of an authority applies now: not made in the future, and not out of date. */
export function isCurrent(now: Date, from: Date, until: Date | undefined): boolean {
  return from.getTime() <= now.getTime() + CLOCK_SKEW_MS && (until === undefined || until > now);
}

/** Whether a certificate was issued and signed by the authority of another one. */
export function isIssuedBy(certificateDer: Buffer, issuerDer: Buffer): boolean {
  const [certificate, issuer] = [new X509Certificate(certificateDer), new X509Certificate(issuerDer)];
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** Whether a certificate is a root: issued and signed by its own key. */
export function isSelfIssued(der: Buffer): boolean {
  const certificate = new X509Certificate(der);
  return certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey);
}
