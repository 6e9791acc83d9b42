import { decision, type RateDecision, type RateLimitStore } from './store.ts';

const COMPACT_FROM = 256;

/** Times of the takes that still count, oldest first. Those that left stand before `first` until it pays to move the rest. */
class TakeLog {
  private times: number[] = [];
  private first = 0;

  constructor(public windowMs: number) {}

  get length(): number {
    return this.times.length - this.first;
  }

  at(index: number): number | undefined {
    return this.times[this.first + index];
  }

  get newest(): number {
    return this.length === 0 ? -Infinity : (this.times.at(-1) as number);
  }

  push(timeMs: number): void {
    this.times.push(timeMs);
  }

  /** Drops the oldest takes. */
  drop(count: number): void {
    this.first = Math.min(this.times.length, this.first + count);
    if (this.first < COMPACT_FROM || this.first * 2 < this.times.length) return;
    this.times = this.times.slice(this.first);
    this.first = 0;
  }

  dropUntil(timeMs: number): void {
    let expired = 0;
    while (expired < this.length && (this.at(expired) as number) <= timeMs) expired += 1;
    if (expired > 0) this.drop(expired);
  }
}

/** Time of a process: `elapsedMs` never goes back, `epochMs` is what callers see. */
export interface RateClock {
  elapsedMs(): number;
  epochMs(): number;
}

const SYSTEM: RateClock = { elapsedMs: () => performance.now(), epochMs: () => Date.now() };
const SWEEP_EVERY_MS = 10_000;

/**
 * Sliding window in the memory of this process. Holds at most `maxKeys` keys (default 50,000): expired ones are dropped every
 * ten seconds, then, if need be, those used longest ago.
 */
export class MemoryRateLimitStore implements RateLimitStore {
  private readonly logs = new Map<string, TakeLog>();
  private readonly clock: RateClock;
  private readonly maxKeys: number;
  private nextSweepMs: number;

  constructor(options: { clock?: RateClock; maxKeys?: number } = {}) {
    this.clock = options.clock ?? SYSTEM;
    this.maxKeys = options.maxKeys ?? 50_000;
    this.nextSweepMs = this.clock.elapsedMs() + SWEEP_EVERY_MS;
  }

  /** Keys held at present. */
  get size(): number {
    return this.logs.size;
  }

  take(key: string, limit: number, windowSeconds: number): RateDecision {
    const nowMs = this.clock.elapsedMs();
    const log = this.current(key, windowSeconds * 1000, nowMs);
    const excess = log.length + 1 - limit;
    const allowed = excess <= 0;
    if (allowed) this.push(key, log, nowMs);
    // The take that must leave the window before this request (or, when it passed, the next token) is there.
    const leaving = log.at(allowed ? 0 : excess - 1);
    const resetInMs = leaving === undefined ? 0 : leaving + log.windowMs - nowMs;
    return decision(allowed, limit, log.length, resetInMs, this.clock.epochMs());
  }

  /** Counts a take that another store allowed, so that this one can go on from there. */
  record(key: string, limit: number, windowSeconds: number): void {
    const nowMs = this.clock.elapsedMs();
    const log = this.current(key, windowSeconds * 1000, nowMs);
    this.push(key, log, nowMs);
    if (log.length > limit) log.drop(log.length - limit);
  }

  async charge(key: string, tokens: number, limit: number, windowSeconds: number): Promise<RateDecision> {
    const nowMs = this.clock.elapsedMs();
    const log = this.current(key, windowSeconds * 1000, nowMs);
    for (let left = Math.min(tokens, 2 * limit - log.length); left > 0; left--) this.push(key, log, nowMs);
    const excess = log.length + 1 - limit;
    const leaving = log.at(Math.max(0, excess - 1));
    const resetInMs = leaving === undefined ? 0 : leaving + log.windowMs - nowMs;
    return decision(excess <= 0, limit, log.length, resetInMs, this.clock.epochMs());
  }

  async giveBack(key: string, windowSeconds: number): Promise<void> {
    // The oldest goes, whichever take it was: what stays counts at least as long as it should.
    this.current(key, windowSeconds * 1000, this.clock.elapsedMs()).drop(1);
  }

  async close(): Promise<void> {
    this.logs.clear();
  }

  private current(key: string, windowMs: number, nowMs: number): TakeLog {
    if (nowMs >= this.nextSweepMs) this.sweep(nowMs);
    const log = this.logs.get(key);
    if (!log) return new TakeLog(windowMs);
    log.windowMs = windowMs;
    log.dropUntil(nowMs - windowMs);
    return log;
  }

  private push(key: string, log: TakeLog, nowMs: number): void {
    log.push(nowMs);
    this.logs.delete(key); // and to the end: the map is in order of last use
    this.logs.set(key, log);
    if (this.logs.size <= this.maxKeys) return;
    this.sweep(nowMs);
    for (const oldest of this.logs.keys()) {
      if (this.logs.size <= this.maxKeys) break;
      this.logs.delete(oldest);
    }
  }

  private sweep(nowMs: number): void {
    this.nextSweepMs = nowMs + SWEEP_EVERY_MS;
    for (const [key, log] of this.logs) {
      if (log.newest + log.windowMs <= nowMs) this.logs.delete(key);
    }
  }
}
