import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a mail address without regard to case: what is kept of an address that somebody typed. */
export function emailDigest(email: string): Buffer {
  return createHash('sha256').update(email.trim().toLowerCase()).digest();
}

/** Whether an address is the one that the digest was made of. */
export function isEmailOf(digest: Buffer, email: string): boolean {
  return timingSafeEqual(digest, emailDigest(email));
}
