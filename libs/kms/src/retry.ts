import type { KmsTrouble } from './kms-unavailable.ts';

const FIRST_PAUSE_MS = 100;
/** AWS asks for more patience from those whom it throttles. */
const FIRST_PAUSE_THROTTLED_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** The pause after the nth attempt failed (1 is the first): twice as long each time, with full jitter, as the SDK's standard retry has it. */
export function pauseMs(attempt: number, reason: KmsTrouble, random = Math.random()): number {
  const first = reason === 'throttled' ? FIRST_PAUSE_THROTTLED_MS : FIRST_PAUSE_MS;
  return random * Math.min(first * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
}
