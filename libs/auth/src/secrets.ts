import { hash, randomBytes } from 'node:crypto';
import type { Environment } from '@constancia/contracts';
import { checksum6, randomSecret43 } from '@constancia/kernel';

const PREFIXES = { sandbox: 'test_', production: 'live_' } as const satisfies Record<Environment, string>;
const API_KEY = /^(test|live)_[0-9A-Za-z]{49}$/;
const CHECKED_SECRET = /^[0-9A-Za-z]{49}$/;
/** The form of a token that proves an owner's address. */
export const OWNER_PROOF_TOKEN = /^own_[0-9A-Za-z]{43}$/;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 9;

/** A secret that was just made: the plaintext is shown once and never stored. */
export interface NewSecret {
  plaintext: string;
  /** SHA-256, 32 bytes: what is stored. */
  hash: Buffer;
}

export interface NewApiKey extends NewSecret {
  /** The first 9 characters, for example `test_AbCd`: names a key to people without disclosing it. */
  prefix: string;
}

/** Makes an API key: `test_` or `live_`, 32 random bytes as 43 base62 characters, a 6-character CRC32 of all that precedes. */
export function generateApiKey(environment: Environment): NewApiKey {
  const body = PREFIXES[environment] + randomSecret43();
  const plaintext = body + checksum6(body);
  return { plaintext, hash: hashSecret(plaintext), prefix: plaintext.slice(0, SHOWN_LENGTH) };
}

/** Reads an API key's environment; null when its form or checksum is wrong. Asks no store. */
export function parseApiKey(text: string): { environment: Environment } | null {
  if (!API_KEY.test(text)) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  if (checksum6(body) !== text.slice(-CHECKSUM_LENGTH)) return null;
  return { environment: text.startsWith(PREFIXES.sandbox) ? 'sandbox' : 'production' };
}

/** Makes a member token: `mbt_`, 32 random bytes as 43 base62 characters, a 6-character CRC32 of all that precedes. */
export function generateMemberToken(): NewSecret {
  return generateCheckedToken('mbt_');
}

/** Whether a text has the form and checksum of a member token. Asks no store. */
export function isMemberToken(text: string): boolean {
  return isCheckedToken('mbt_', text);
}

/** Makes a token: the prefix, 32 random bytes as 43 base62 characters, a 6-character CRC32 of all that precedes. */
export function generateCheckedToken(prefix: string): NewSecret {
  const body = prefix + randomSecret43();
  const plaintext = body + checksum6(body);
  return { plaintext, hash: hashSecret(plaintext) };
}

/** Whether a text has the form and checksum of such a token. Asks no store. */
export function isCheckedToken(prefix: string, text: string): boolean {
  if (!text.startsWith(prefix) || !CHECKED_SECRET.test(text.slice(prefix.length))) return false;
  return checksum6(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** SHA-256 of a secret of at least 128 random bits, 32 bytes. Nothing slower is needed for that much entropy. */
export function hashSecret(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** The same in hexadecimal digits, made without a buffer, which costs several times as much as the digest. */
export function hexHashOfSecret(text: string): string {
  return hash('sha256', text, 'hex');
}

/** Makes a recovery token: `rec_` and 32 random bytes as 43 base62 characters. */
export function generateRecoveryToken(): NewSecret {
  const plaintext = `rec_${randomSecret43()}`;
  return { plaintext, hash: hashSecret(plaintext) };
}

/** Makes a token that proves an owner's mail address: `own_` and 32 random bytes as 43 base62 characters. */
export function generateOwnerProofToken(): NewSecret {
  const plaintext = `own_${randomSecret43()}`;
  return { plaintext, hash: hashSecret(plaintext) };
}

/** Makes a webhook secret: `whsec_` and base64 of 32 random bytes (Standard Webhooks 1.0.0). */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
