import { backoffMs } from '@constancia/kernel';
import type { KmsFailure } from './kms-unavailable.ts';

const FIRST_PAUSE_MS = 100;
/** AWS asks for more patience from those whom it throttles. */
const FIRST_PAUSE_THROTTLED_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** The pause after the nth attempt failed (1 is the first): twice as long each time, with full jitter, as the SDK's standard retry has it. */
export function pauseMs(attempt: number, reason: KmsFailure, random = Math.random()): number {
  const firstMs = reason === 'throttled' ? FIRST_PAUSE_THROTTLED_MS : FIRST_PAUSE_MS;
  return backoffMs(attempt, { firstMs, longestMs: LONGEST_PAUSE_MS, jitter: 1 }, random);
}
