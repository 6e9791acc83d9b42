import { createHmac, randomInt } from 'node:crypto';
import { purposeKeys, type SecretKeySettings } from '@constancia/kernel';

/** How long a mailed code can be used. */
export const CODE_MINUTES = 10;

/**
 * Codes that sign members in, and what is kept of them. A code has a million values: what is kept is an HMAC with the deployment's secret
 * key, bound to the address.
 */
export class SignInCodes {
  /** @param keys 32 bytes each, the present one first: a code that was made with an earlier one still holds */
  constructor(private readonly keys: readonly Buffer[]) {}

  static ofSecret(settings: SecretKeySettings): SignInCodes {
    return new SignInCodes(purposeKeys(settings, 'codes'));
  }

  /** Six digits, each value as likely as any other. */
  newCode(): string {
    return String(randomInt(1_000_000)).padStart(6, '0');
  }

  /** What is kept of the code of an address, by its digest. 32 bytes for each key, the present one first. */
  hashesOf(emailDigest: Buffer, code: string): Buffer[] {
    const message = `member_sign_in:${emailDigest.toString('hex')}:${code}`;
    return this.keys.map((key) => createHmac('sha256', key).update(message).digest());
  }
}
