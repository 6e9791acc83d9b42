import { constants, createPublicKey, publicDecrypt } from 'node:crypto';
import type { SigningKey } from '../signing-keys/signing-key.entity.ts';

/** DER of a DigestInfo of SHA-256, up to the digest (RFC 8017 §9.2, note 1). */
const SHA256_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/**
 * Of the keys that were registered under one identifier, the one that made this signature over this SHA-256 digest. One
 * identifier may have had several keys. null when none of them made it.
 */
export function signingKeyOf(keys: readonly SigningKey[], signature: Buffer, sha256: Buffer): SigningKey | null {
  const signed = Buffer.concat([SHA256_INFO, sha256]);
  return keys.find((key) => opened(key.public_key_pem, signature)?.equals(signed)) ?? null;
}

/** What RSASSA-PKCS1-v1_5 signed with this key's private half, or undefined when it was another key. */
function opened(pem: string, signature: Buffer): Buffer | undefined {
  try {
    return publicDecrypt({ key: createPublicKey(pem), padding: constants.RSA_PKCS1_PADDING }, signature);
  } catch {
    return undefined;
  }
}
