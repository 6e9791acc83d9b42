import { sleep } from '@constancia/kernel';

/** A twentieth may come at once, the rest evenly: together no more than the limit. */
const BURST_SHARE = 0.05;

/** Lets through at most `perSecond` calls in any second (one more, below 20 a second); whoever comes early waits in line. */
export class TokenBucket {
  private readonly burst: number;
  private readonly refill: number;
  private tokens: number;
  private filledAt: number;

  constructor(
    perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.burst = Math.max(1, perSecond * BURST_SHARE);
    this.refill = perSecond * BURST_SHARE < 1 ? perSecond : perSecond * (1 - BURST_SHARE);
    this.tokens = this.burst;
    this.filledAt = now();
  }

  /** Resolves to true when it is the caller's turn, to false at once when that would be later than deadlineMs from now. */
  async take(deadlineMs: number, signal?: AbortSignal): Promise<boolean> {
    const at = this.now();
    const tokens = Math.min(this.burst, this.tokens + ((at - this.filledAt) / 1000) * this.refill);
    const waitMs = tokens >= 1 ? 0 : ((1 - tokens) / this.refill) * 1000;
    this.filledAt = at;
    if (waitMs > deadlineMs) {
      this.tokens = tokens;
      return false;
    }
    this.tokens = tokens - 1; // below zero: those are reserved for the callers in line
    if (waitMs > 0) await sleep(waitMs, signal);
    return true;
  }
}
