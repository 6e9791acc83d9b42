import { createHash, randomBytes } from 'node:crypto';
import type { Json } from '@constancia/kernel';
import { decodeJson } from '@constancia/signed-jwt';
import { refused } from './refusals.ts';

/** A salted claim, or element of an array, that its holder may show (RFC 9901, section 4.2). */
export interface Disclosure {
  /** As it stands between tildes. */
  encoded: string;
  /** SHA-256 of `encoded`, base64url: what the signed part holds in its place. */
  digest: string;
  /** The claim's name; null for an element of an array. */
  name: string | null;
  value: Json;
}

/** Bytes of a salt: as many as the standard recommends. */
const SALT_BYTES = 16;

export const sha256Base64url = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Names that no disclosed claim may have (RFC 9901, section 4.2.1), and that no claim of an issuer may have. */
export const isReservedName = (name: string): boolean =>
  name === '_sd' || name === '...' || name === '_sd_alg' || name === '__proto__';

/** Makes a disclosure with a fresh salt. `name` is null for an element of an array. */
export function createDisclosure(name: string | null, value: Json): Disclosure {
  const salt = randomBytes(SALT_BYTES).toString('base64url');
  const content = name === null ? [salt, value] : [salt, name, value];
  const encoded = Buffer.from(JSON.stringify(content)).toString('base64url');
  return { encoded, digest: sha256Base64url(encoded), name, value };
}

/** A digest of nothing: it hides how many claims there are (RFC 9901, section 4.2.5). */
export const decoyDigest = (): string => sha256Base64url(randomBytes(SALT_BYTES * 2).toString('base64url'));

/** Throws TokenRefused when the text is no disclosure. */
export function readDisclosure(encoded: string): Disclosure {
  const content = decodeJson(encoded, 'a disclosure');
  if (!Array.isArray(content) || typeof content[0] !== 'string')
    throw refused('disclosure', 'a disclosure is not an array that begins with a salt');
  const digest = sha256Base64url(encoded);
  if (content.length === 2) return { encoded, digest, name: null, value: content[1] as Json };
  const [, name, value] = content;
  if (content.length !== 3 || typeof name !== 'string')
    throw refused('disclosure', 'a disclosure is neither a named claim nor an element');
  if (isReservedName(name)) throw refused('reserved_name', 'a disclosure has a reserved name');
  return { encoded, digest, name, value: value as Json };
}
