import { SecretBox, type SecretKeySettings } from '@constancia/kernel';

const CONTEXT = 'wallet_challenge';
const CONTACT_BYTES = 32;
/** base64url of a sealed challenge, which always has the same length. */
export const CHALLENGE_ID = /^[A-Za-z0-9_-]{98}$/;

/**
 * What a person who signs in brings back with the code: the contact that they named, sealed. Nothing is stored for it, so that a contact
 * without a wallet costs the same; that a code counts once is the code's.
 */
export class WalletChallenges {
  private readonly box: SecretBox;

  constructor(settings: SecretKeySettings) {
    this.box = SecretBox.ofSecret(settings);
  }

  issue(contact: Buffer, expiresAt: Date): string {
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(expiresAt.getTime()));
    return this.box.seal(Buffer.concat([contact, time]), CONTEXT).toString('base64url');
  }

  /** The contact of a challenge; null when it was not issued here, or has expired. */
  contactOf(challenge: string, now: Date = new Date()): Buffer | null {
    let opened: Buffer;
    try {
      opened = this.box.open(Buffer.from(challenge, 'base64url'), CONTEXT);
    } catch {
      return null;
    }
    const expiresAt = Number(opened.readBigUInt64BE(CONTACT_BYTES));
    return expiresAt > now.getTime() ? opened.subarray(0, CONTACT_BYTES) : null;
  }
}
