import { OneTimeCodes, purposeKeys, type SecretKeySettings } from '@constancia/kernel';
import { OTP } from '../otp-rules.ts';

export { OTP };

/** The published rules of access codes. */
export const ACCESS_CODE = { tries: 5, lockedMs: 15 * 60_000 } as const;

/**
 * Wrong codes, of whatever method, that one link takes. Locks alone would let anyone who holds a link guess for weeks: of a million codes
 * this many are a chance of 1 in 20,000, and the tenant can make a new link.
 */
export const MISSES_PER_LINK = 50;

const HOUR_MS = 3_600_000;

/** The codes that signers are sent. The recipient: codeRecipient. */
export class OtpCodes extends OneTimeCodes {
  /** @param keys as OneTimeCodes takes them */
  constructor(keys: readonly Buffer[]) {
    super(keys, 'signer_otp');
  }

  static ofSecret(settings: SecretKeySettings): OtpCodes {
    return new OtpCodes(purposeKeys(settings, 'codes'));
  }
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
