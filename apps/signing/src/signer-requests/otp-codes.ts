import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { purposeKeys, type SecretKeySettings } from '@constancia/kernel';

/** The published rules of one-time codes. */
export const OTP = { digits: 6, validMs: 10 * 60_000, betweenSendsMs: 60_000, sendsPerHour: 5, tries: 5 } as const;
/** The published rules of access codes. */
export const ACCESS_CODE = { tries: 5, lockedMs: 15 * 60_000 } as const;

/**
 * Wrong codes, of whatever method, that one link takes. Locks alone would let anyone who holds a link guess for weeks: of a million codes
 * this many are a chance of 1 in 20,000, and the tenant can make a new link.
 */
export const MISSES_PER_LINK = 50;

const HOUR_MS = 3_600_000;

/**
 * One-time codes and what is kept of them. A code has a million values: anyone who gets hold of a plain hash finds it at once, so what is
 * kept is an HMAC with the deployment's secret key, bound to the signer.
 */
export class OtpCodes {
  /** @param keys 32 bytes each, the present one first: what was made with an earlier one still holds */
  constructor(private readonly keys: readonly Buffer[]) {}

  static ofSecret(settings: SecretKeySettings): OtpCodes {
    return new OtpCodes(purposeKeys(settings, 'codes'));
  }

  /** A new code: six digits, each value as likely as any other. */
  newCode(): string {
    return String(randomInt(10 ** OTP.digits)).padStart(OTP.digits, '0');
  }

  /** What is kept of a signer's (UUID) code. */
  hashOf(signerId: string, code: string): Buffer {
    return digest(this.keys[0] as Buffer, signerId, code);
  }

  /** Whether a code is the one that was kept, compared in constant time. */
  matches(signerId: string, code: string, kept: Buffer): boolean {
    return this.keys.some((key) => timingSafeEqual(digest(key, signerId, code), kept));
  }
}

function digest(key: Buffer, signerId: string, code: string): Buffer {
  return createHmac('sha256', key).update(`signer_otp:${signerId}:${code}`).digest();
}

/** What decides about the next code. */
export interface SentCodes {
  sends: readonly Date[];
  misses: number;
  /** The end of the link. */
  expiresAt: Date;
}

/**
 * When a signer may be sent the next code: not within a minute of the last, five times within an hour at most, and by a link that
 * took too many wrong ones not before its end.
 */
export function nextSendAt({ sends, misses, expiresAt }: SentCodes): Date {
  if (misses >= MISSES_PER_LINK) return expiresAt;
  const times = sends.map((sent) => sent.getTime()).sort((a, b) => b - a);
  const afterLast = (times[0] ?? -Infinity) + OTP.betweenSendsMs;
  const afterHour = (times[OTP.sendsPerHour - 1] ?? -Infinity) + HOUR_MS;
  return new Date(Math.max(afterLast, afterHour, 0));
}

/** The sends that still count, and one more. */
export function withSend(sends: readonly Date[], now: Date): Date[] {
  return [...sends.filter((sent) => sent.getTime() > now.getTime() - HOUR_MS), now];
}
