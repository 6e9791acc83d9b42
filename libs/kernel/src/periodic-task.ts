const LOG_EVERY_MS = 30_000;
/** Keeps processes that were started together from running in step. */
const JITTER = 0.1;

export interface PeriodicTaskOptions {
  name: string;
  /** From the end of a run to the next one, ± 10 %. */
  everyMs: number;
  /** A long run ends early, between two pieces of its work, once the signal aborts. */
  run: (signal: AbortSignal) => Promise<unknown>;
  logger: { warn(fields: object, message: string): void };
  /** After a slow run, waits up to four times as long, so that the task takes about a twentieth of the time. */
  easesOff?: boolean;
}

/**
 * Repeats a task at an interval. Runs never overlap; a failure is logged (at most once per 30 s) and does not stop later runs; `close`
 * waits for the run in progress. Every process runs its own, so a task must be safe in several processes at once.
 */
export class PeriodicTask {
  private readonly stop = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStarted = false;
  private isWanted = false;
  private loggedAt = -Infinity;

  constructor(private readonly options: PeriodicTaskOptions) {}

  /** The first run comes after one interval; `wake` starts it at once. */
  start(): void {
    this.isStarted = true;
    this.schedule(this.options.everyMs);
  }

  /** Runs now, or once more after the run in progress. Returns at once and never throws. */
  wake(): void {
    if (this.stop.signal.aborted) return;
    this.isWanted = true;
    this.running ??= this.runWhileWanted();
  }

  /** Starts no further run, and resolves when the run in progress has ended. */
  async close(): Promise<void> {
    this.stop.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private async runWhileWanted(): Promise<void> {
    clearTimeout(this.timer);
    const startedAt = performance.now();
    while (this.isWanted && !this.stop.signal.aborted) {
      this.isWanted = false;
      await this.runOnce();
    }
    this.running = undefined;
    const { everyMs, easesOff } = this.options;
    const slowMs = easesOff ? Math.min((performance.now() - startedAt) * 20, everyMs * 4) : 0;
    this.schedule(Math.max(everyMs, slowMs));
  }

  private async runOnce(): Promise<void> {
    try {
      await this.options.run(this.stop.signal);
    } catch (error) {
      if (performance.now() - this.loggedAt < LOG_EVERY_MS) return;
      this.loggedAt = performance.now();
      const { logger, name } = this.options;
      logger.warn({ job: name, error }, 'a periodic task failed and will be tried again');
    }
  }

  private schedule(ms: number): void {
    if (!this.isStarted || this.stop.signal.aborted) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), ms * (1 - JITTER + Math.random() * 2 * JITTER));
  }
}
