import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson } from '@constancia/kernel';

/** Whom a signer's row names, as the trail has them. */
export interface NamedPerson {
  email: string;
  name: string | null;
  /** 16 random bytes, hex: kept in the signer's row, and erased with it. */
  salt: string;
}

/** The salt of a digest in a trail. */
export function newSalt(): Buffer {
  return randomBytes(16);
}

/**
 * What the trail says instead of a signer's address and name: lower-case hex of SHA-256 over the canonical JSON (RFC 8785) of `{email,
 * name, salt}`. It proves whom the envelope was sent to as long as the salt is there; without it nothing can be guessed from it.
 */
export function personDigest({ email, name, salt }: NamedPerson): string {
  return createHash('sha256').update(canonicalJson({ email, name, salt })).digest('hex');
}

/** The same for the number that codes are sent to: over `{phone, salt}`, with the same salt. */
export function phoneDigest(phone: string, salt: string): string {
  return createHash('sha256').update(canonicalJson({ phone, salt })).digest('hex');
}

/** The same for the reason of a decline or a void: over `{reason, salt}`. */
export function reasonDigest(reason: string, salt: Buffer): string {
  return createHash('sha256')
    .update(canonicalJson({ reason, salt: salt.toString('hex') }))
    .digest('hex');
}
