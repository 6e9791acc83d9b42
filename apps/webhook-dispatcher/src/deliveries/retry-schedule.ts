const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The wait after each failed attempt, before jitter: twelve attempts, the last about three days after the first. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  1 * HOUR,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR,
];

/** How long a receiver may ask us to wait. */
const MAX_RETRY_AFTER_MS = HOUR;

/** Each wait is its step ± 20 %: what failed together does not come back together, and the schedule stays what is published. */
const JITTER = 0.2;

/**
 * How long to wait after a failed attempt: the step of the schedule ± JITTER. Null when the attempts are used up.
 *
 * @param attemptsBefore attempts made before this one since the delivery was put in line
 * @param random in [0, 1)
 */
export function retryDelayMs(attemptsBefore: number, random: number): number | null {
  const step = RETRY_DELAYS_MS[attemptsBefore];
  return step === undefined ? null : Math.round(step * (1 - JITTER + 2 * JITTER * random));
}

/** Reads Retry-After (RFC 9110 §10.2.3: seconds or a date) in milliseconds, an hour at most; null when it is neither. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  const wait = /^\d{1,10}$/.test(text) ? Number(text) * SECOND : httpDate(text) - nowMs;
  if (!Number.isFinite(wait) || wait <= 0) return null;
  return Math.min(wait, MAX_RETRY_AFTER_MS);
}

function httpDate(text: string): number {
  return /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
}
