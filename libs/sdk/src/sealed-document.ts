import { constants, createHash, createPublicKey, verify } from 'node:crypto';

export interface SealedDocument {
  /** The file, byte for byte as downloaded. */
  pdf: Uint8Array;
  /** Header X-Signature: hex. */
  signatureHex: string;
  /** The public key, or the certificate, of the signing key as PEM (GET {signing_url}/keys/{fingerprint}.pem or .crt). */
  publicKeyPem: string;
}

/**
 * Proves a sealed document offline: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 §8.2) over the file's bytes. Answers whether the
 * signature holds, and the file's SHA-256 in hex (as in X-Document-SHA256). Throws TypeError when the key is no RSA key.
 */
export function verifySealedDocument({ pdf, signatureHex, publicKeyPem }: SealedDocument): {
  valid: boolean;
  sha256: string;
} {
  const key = createPublicKey(publicKeyPem);
  if (key.asymmetricKeyType !== 'rsa') throw new TypeError('documents are sealed with an RSA key');
  const sha256 = createHash('sha256').update(pdf).digest('hex');
  if (!/^([0-9a-fA-F]{2})+$/.test(signatureHex)) return { valid: false, sha256 };
  const signature = Buffer.from(signatureHex, 'hex');
  return { valid: verify('sha256', pdf, { key, padding: constants.RSA_PKCS1_PADDING }, signature), sha256 };
}
