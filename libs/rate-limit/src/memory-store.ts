import { decision, type RateDecision, type RateLimitStore } from './store.ts';

/** Times of the takes that still count, oldest first. */
interface TakeLog {
  takes: number[];
  windowMs: number;
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

  async take(key: string, limit: number, windowSeconds: number, cost = 1): Promise<RateDecision> {
    const nowMs = this.clock.elapsedMs();
    const log = this.current(key, windowSeconds * 1000, nowMs);
    const wanted = Math.min(Math.max(cost, 1), limit);
    const excess = log.takes.length + wanted - limit;
    const allowed = excess <= 0;
    if (allowed && cost > 0) this.push(key, log, nowMs, wanted);
    // The take that must leave the window before this request (or, when it passed, the next token) is there.
    const leaving = log.takes[allowed ? 0 : excess - 1];
    const resetInMs = leaving === undefined ? 0 : leaving + log.windowMs - nowMs;
    return decision(allowed, limit, log.takes.length, resetInMs, this.clock.epochMs());
  }

  /** Counts a take that another store allowed, so that this one can go on from there. */
  record(key: string, limit: number, windowSeconds: number, cost = 1): void {
    const nowMs = this.clock.elapsedMs();
    const log = this.current(key, windowSeconds * 1000, nowMs);
    this.push(key, log, nowMs, cost);
    if (log.takes.length > limit) log.takes.splice(0, log.takes.length - limit);
  }

  async giveBack(key: string, windowSeconds: number): Promise<void> {
    // The oldest goes, whichever take it was: what stays counts at least as long as it should.
    this.current(key, windowSeconds * 1000, this.clock.elapsedMs()).takes.shift();
  }

  async close(): Promise<void> {
    this.logs.clear();
  }

  private current(key: string, windowMs: number, nowMs: number): TakeLog {
    if (nowMs >= this.nextSweepMs) this.sweep(nowMs);
    const log = this.logs.get(key);
    if (!log) return { takes: [], windowMs };
    log.windowMs = windowMs;
    let expired = 0;
    while (expired < log.takes.length && (log.takes[expired] as number) + windowMs <= nowMs) expired += 1;
    if (expired > 0) log.takes.splice(0, expired);
    return log;
  }

  private push(key: string, log: TakeLog, nowMs: number, count: number): void {
    for (let i = 0; i < count; i++) log.takes.push(nowMs);
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
    for (const [key, { takes, windowMs }] of this.logs) {
      if ((takes.at(-1) ?? -Infinity) + windowMs <= nowMs) this.logs.delete(key);
    }
  }
}
