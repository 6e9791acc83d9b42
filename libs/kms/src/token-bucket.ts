import { sleep } from '@constancia/kernel';

/** Lets through `perSecond` calls a second and a burst of a tenth of that; whoever comes early waits in line. */
export class TokenBucket {
  private readonly burst: number;
  private tokens: number;
  private filledAt: number;

  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.burst = Math.max(1, perSecond / 10);
    this.tokens = this.burst;
    this.filledAt = now();
  }

  /** Resolves to true when it is the caller's turn, to false at once when that would be later than deadlineMs from now. */
  async take(deadlineMs: number, signal?: AbortSignal): Promise<boolean> {
    const at = this.now();
    const tokens = Math.min(this.burst, this.tokens + ((at - this.filledAt) / 1000) * this.perSecond);
    const waitMs = tokens >= 1 ? 0 : ((1 - tokens) / this.perSecond) * 1000;
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
