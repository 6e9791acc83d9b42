import { sleep } from './clock.ts';

export interface Backoff {
  /** The pause after the first attempt; each later one is twice as long. */
  firstMs: number;
  longestMs: number;
  /** Which share of the pause is random, so that what failed together is not repeated together; default 0. */
  jitter?: number;
}

/** The pause after the nth attempt (1 is the first). */
export function backoffMs(
  attempt: number,
  { firstMs, longestMs, jitter = 0 }: Backoff,
  random: number = Math.random(),
): number {
  return Math.min(firstMs * 2 ** (attempt - 1), longestMs) * (1 - jitter + jitter * random);
}

export interface RetryOptions {
  /** The pause before the next attempt, 0 for none; null: this was the last one. */
  pauseMs: (error: unknown, attempt: number) => number | null;
  /** Once it aborts, no further attempt is made. */
  signal?: AbortSignal;
}

/** Repeats work until it succeeds or `pauseMs` gives up. Throws the error of the last attempt. */
export async function retry<T>(work: (attempt: number) => Promise<T>, { pauseMs, signal }: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      const pause = signal?.aborted ? null : pauseMs(error, attempt);
      if (pause === null) throw error;
      if (pause > 0) await sleep(pause, signal);
      if (signal?.aborted) throw error;
    }
  }
}
