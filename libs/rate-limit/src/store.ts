/** What a limiter answers to one request. */
export interface RateDecision {
  allowed: boolean;
  /** Takes per window, as asked for. */
  limit: number;
  /** Takes left now. */
  remaining: number;
  /** Epoch seconds. Waiting until then always suffices for the next request of a caller that is alone on its key. */
  resetAtSeconds: number;
  /** Whole seconds to wait; 0 when allowed, else at least 1. */
  retryAfterSeconds: number;
}

/**
 * Counts takes over a sliding window: no interval of `windowSeconds`, wherever it begins, ever holds more than `limit` of
 * them. A refused take counts nothing.
 */
export interface RateLimitStore {
  /** Takes one token of a key, when there is one. Answers at once where no other process has to be asked: every request waits for it. */
  take(key: string, limit: number, windowSeconds: number): RateDecision | Promise<RateDecision>;
  /**
   * Counts tokens that were used already, even if there were fewer left. `allowed`: there is one left; if not, the reset is when there is.
   * Of what exceeds twice the limit nothing is kept.
   */
  charge(key: string, tokens: number, limit: number, windowSeconds: number): Promise<RateDecision>;
  /** Returns one token that was taken (the request turned out not to count). */
  giveBack(key: string, windowSeconds: number): Promise<void>;
  close(): Promise<void>;
}

/** A caller's clock, and ours, are corrected while they run (NTP slews by at most 0.05 %): a reset is stated this much later. */
export const CLOCK_SLACK_MS = 50;

/** Turns what a store knows (tokens used after the take, milliseconds until the next one returns) into the answer. */
export function decision(
  allowed: boolean,
  limit: number,
  used: number,
  resetInMs: number,
  nowEpochMs: number,
): RateDecision {
  const resetAtSeconds = Math.ceil((nowEpochMs + resetInMs + (resetInMs > 0 ? CLOCK_SLACK_MS : 0)) / 1000);
  return {
    allowed,
    limit,
    remaining: Math.max(0, limit - used),
    resetAtSeconds,
    retryAfterSeconds: allowed ? 0 : Math.max(1, resetAtSeconds - Math.floor(nowEpochMs / 1000)),
  };
}
