import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

const DIGITS = 6;

/**
 * Mailed codes of six digits and what is kept of them. A code has a million values: anyone who gets hold of a plain hash finds it at once, so
 * what is kept is an HMAC with the deployment's secret key, bound to what the code is for and to whom it was sent.
 */
export class OneTimeCodes {
  /**
   * @param keys 32 bytes each, the present one first: what was made with an earlier one still holds
   * @param use names what the codes are for: the same code for another use has another HMAC. It must never change
   */
  constructor(
    private readonly keys: readonly Buffer[],
    private readonly use: string,
  ) {}

  /** A new code: each value is as likely as any other. */
  newCode(): string {
    return String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  }

  /** What is kept of a recipient's code: 32 bytes. */
  hashOf(recipient: string, code: string): Buffer {
    return this.hashesOf(recipient, code)[0] as Buffer;
  }

  /** The same by each key, the present one first: what may have been kept. */
  hashesOf(recipient: string, code: string): Buffer[] {
    return this.keys.map((key) => createHmac('sha256', key).update(`${this.use}:${recipient}:${code}`).digest());
  }

  /** Whether a code is the one that was kept, compared in constant time. */
  matches(recipient: string, code: string, kept: Buffer): boolean {
    return this.hashesOf(recipient, code).some((hash) => timingSafeEqual(hash, kept));
  }
}
