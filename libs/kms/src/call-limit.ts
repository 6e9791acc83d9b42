/** So many of a second's calls may come at once, after a pause or when this process was held up; the rest come evenly. */
const BURST_SHARE = 0.2;
/** A second, and as much again as timers are early. */
const SECOND_MS = 1_005;

interface Caller {
  endsAt: number;
  resolve: (turn: boolean) => void;
}

/**
 * Lets through so many calls that at most `perSecond` arrive within any second, however long each is under way: a call counts from
 * its beginning until a second after its end. So calls that take t seconds reach perSecond / (1 + t).
 */
export class CallLimit {
  private readonly burst: number;
  private readonly line: Caller[] = [];
  private underWay = 0;
  /** When the calls of the last second ended, the longest ago first. */
  private readonly ended: number[] = [];
  private tokens: number;
  private filledAt: number;
  private timer: NodeJS.Timeout | undefined;
  private total = 0;

  constructor(
    private readonly perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.burst = Math.max(1, perSecond * BURST_SHARE);
    this.tokens = this.burst;
    this.filledAt = now();
  }

  /** Calls that were let through so far. */
  get calls(): number {
    return this.total;
  }

  /**
   * Resolves to true when it is the caller's turn, who must tell its end by `end()`; to false as soon as that is known to be later
   * than deadlineMs from now.
   */
  take(deadlineMs: number): Promise<boolean> {
    const at = this.now();
    const waitMs = this.waitMs(at);
    if (this.line.length === 0 && waitMs <= 0) {
      this.begin();
      return Promise.resolve(true);
    }
    if (waitMs + (this.line.length / this.perSecond) * 1_000 > deadlineMs) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.line.push({ endsAt: at + deadlineMs, resolve });
      this.timer ??= setTimeout(this.letThrough, waitMs);
    });
  }

  /** A call that had its turn has been answered, or given up. */
  end(): void {
    this.underWay -= 1;
    this.ended.push(this.now());
  }

  private readonly letThrough = (): void => {
    this.timer = undefined;
    for (let caller = this.line[0]; caller; caller = this.line[0]) {
      const at = this.now();
      const late = at > caller.endsAt;
      const waitMs = late ? 0 : this.waitMs(at);
      if (waitMs > 0) {
        this.timer = setTimeout(this.letThrough, Math.min(waitMs, caller.endsAt - at + 1));
        return;
      }
      this.line.shift();
      if (!late) this.begin();
      caller.resolve(!late);
    }
  };

  /** Until the next call may begin, as far as is known. */
  private waitMs(at: number): number {
    this.tokens = Math.min(this.burst, this.tokens + ((at - this.filledAt) / 1_000) * this.perSecond);
    this.filledAt = at;
    const pace = this.tokens >= 1 ? 0 : ((1 - this.tokens) / this.perSecond) * 1_000;
    return Math.max(pace, this.untilOneIsForgotten(at));
  }

  private untilOneIsForgotten(at: number): number {
    while (this.ended.length > 0 && (this.ended[0] as number) + SECOND_MS <= at) this.ended.shift();
    if (this.underWay + this.ended.length < this.perSecond) return 0;
    return (this.ended[0] ?? at) + SECOND_MS - at; // all of them under way: not before a second from now
  }

  private begin(): void {
    this.tokens -= 1;
    this.underWay += 1;
    this.total += 1;
  }
}
