const LOG_EVERY_MS = 30_000;
/** Keeps processes that were started together from running in step. */
const JITTER = 0.1;

export interface PeriodicTaskOptions {
  name: string;
  /** From the end of a run to the next one, ± 10 %. */
  everyMs: number;
  /** A long run ends early, between two pieces of its work, once the signal aborts. */
  run: (signal: AbortSignal) => Promise<unknown>;
  logger?: { warn(fields: object, message: string): void };
  /** After a slow run, waits up to four times as long, so that the task takes about a twentieth of the time. */
  easesOff?: boolean;
  /** Whether observers hear of its runs; default true. */
  measured?: boolean;
}

/** A run of a periodic task that has ended. */
export interface PeriodicRun {
  name: string;
  seconds: number;
  failed: boolean;
}

/** A piece of a run failed, because of its `cause`; `about` names the piece in the log line of the run. */
class PieceFailed extends Error {
  constructor(
    readonly about: object,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'PieceFailed';
  }
}

/** Pieces of a run that do not depend on each other: one that fails does not stop the others, and the run fails at its end. */
export class IndependentWork {
  private readonly failures: unknown[] = [];

  /** Works on a piece; false when it failed. `about` names it in the log line of the run, by fields that a log line may have. */
  async attempt(piece: () => unknown, about?: object): Promise<boolean> {
    try {
      await piece();
      return true;
    } catch (error) {
      this.failures.push(about ? new PieceFailed(about, error) : error);
      return false;
    }
  }

  /** At the end of a run: throws what the first piece that failed threw, if any did. */
  throwFirstFailure(): void {
    if (this.failures.length > 0) throw this.failures[0];
  }
}

const observers = new Set<(run: PeriodicRun) => void>();

/** Calls the observer after each run of each periodic task of this process, until the function that is returned is called. */
export function observePeriodicRuns(observer: (run: PeriodicRun) => void): () => void {
  observers.add(observer);
  return () => void observers.delete(observer);
}

/**
 * Repeats a task at an interval. Runs never overlap; a failure is logged (at most once per 30 s) and does not stop later runs; `close`
 * waits for the run in progress. Every process runs its own, so a task must be safe in several processes at once.
 */
export class PeriodicTask {
  private readonly stop = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  /** Set before the task begins, which may call wake itself. */
  private isRunning = false;
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
    if (this.isRunning) return;
    this.isRunning = true;
    this.running = this.runWhileWanted();
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
    this.isRunning = false;
    const { everyMs, easesOff } = this.options;
    const slowMs = easesOff ? Math.min((performance.now() - startedAt) * 20, everyMs * 4) : 0;
    this.schedule(Math.max(everyMs, slowMs));
  }

  private async runOnce(): Promise<void> {
    const { name, run, measured = true } = this.options;
    const startedAt = performance.now();
    let failed = false;
    try {
      await run(this.stop.signal);
    } catch (error) {
      failed = true;
      this.logFailure(error);
    }
    if (!measured) return;
    const seconds = (performance.now() - startedAt) / 1_000;
    try {
      for (const observe of observers) observe({ name, seconds, failed });
    } catch (error) {
      this.logFailure(error);
    }
  }

  private logFailure(thrown: unknown): void {
    if (performance.now() - this.loggedAt < LOG_EVERY_MS) return;
    this.loggedAt = performance.now();
    const { about, cause: error } = thrown instanceof PieceFailed ? thrown : { about: {}, cause: thrown };
    this.options.logger?.warn(
      { ...about, job: this.options.name, error },
      'a periodic task failed and will be tried again',
    );
  }

  private schedule(ms: number): void {
    if (!this.isStarted || this.stop.signal.aborted) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), ms * (1 - JITTER + Math.random() * 2 * JITTER));
  }
}
