import { hashSecret, type NewSecret } from '@constancia/auth';
import { randomSecret43 } from '@constancia/kernel';

/** What a session token begins with. */
export const SESSION_TOKEN_PREFIX = 'fst_';

const SESSION_TOKEN = /^fst_[0-9A-Za-z]{43}$/;

/** Makes a session token: `fst_` and 32 random bytes as 43 base62 characters. */
export function generateSessionToken(): NewSecret {
  const plaintext = `${SESSION_TOKEN_PREFIX}${randomSecret43()}`;
  return { plaintext, hash: hashSecret(plaintext) };
}

/** The SHA-256 of a session token, null when the text has not its form. */
export function sessionTokenHash(text: string): Buffer | null {
  return SESSION_TOKEN.test(text) ? hashSecret(text) : null;
}
