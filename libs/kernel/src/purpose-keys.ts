import { hkdfSync } from 'node:crypto';

/** The purposes of keys derived from SECRETS_KEY. A label must never change: another label gives another key. */
export const KEY_PURPOSES = {
  sealing: 'constancia sealed at rest',
  codes: 'constancia one-time codes',
  signedValues: 'constancia signed values',
  uploadAddresses: 'constancia upload address',
  configurations: 'constancia configuration archives',
  phoneNumbers: 'constancia phone numbers',
} as const;
export type KeyPurpose = keyof typeof KEY_PURPOSES;

/** The deployment's secret as a process is configured with it. */
export interface SecretKeySettings {
  /** SECRETS_KEY: base64 of 32 bytes each, comma-separated, the current one first. */
  secretsKey: string;
  /** DERIVED_KEYS: whether to write with derived keys. The previous release reads the secrets themselves only. */
  derivedKeys: boolean;
}

/**
 * The keys for one purpose, 32 bytes each, the one to write with first. Every one reads: the secrets themselves, as the releases before
 * used them, and those derived from them (HKDF-SHA-256, RFC 5869), so that both may be in use at once.
 */
export function purposeKeys({ secretsKey, derivedKeys }: SecretKeySettings, purpose: KeyPurpose): Buffer[] {
  const plain = secretsOf(secretsKey);
  const derived = plain.map((secret) => derivedKey(secret, purpose));
  return derivedKeys ? [...derived, ...plain] : [...plain, ...derived];
}

/** Only the derived keys, for values that were never made with a secret itself. */
export const derivedKeys = (secretsKey: string, purpose: KeyPurpose): Buffer[] =>
  secretsOf(secretsKey).map((secret) => derivedKey(secret, purpose));

const secretsOf = (text: string): Buffer[] => text.split(',').map((part) => Buffer.from(part.trim(), 'base64'));

const derivedKey = (secret: Buffer, purpose: KeyPurpose): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', KEY_PURPOSES[purpose], 32));
