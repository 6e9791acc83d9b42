import type { QueueName } from '@constancia/contracts';
import { endsWithin, sleep } from '@constancia/kernel';
import { RETRY_MS } from './backend.ts';
import type { Backend, HintProcessor, HintWorker, Payload } from './backend.ts';
import { occasionally } from './queue-logger.ts';
import type { QueueLogger } from './queue-logger.ts';

const CLOSE_MS = 3_000;

/** What a handler gets of a job: `name` is `hint`, or SWEEP_JOB. */
export interface QueueJob {
  readonly name: string;
  readonly data: Payload;
}
export type JobHandler<Job extends QueueJob = QueueJob> = (job: Job, signal: AbortSignal) => Promise<void>;

/**
 * One queue's worker, kept alive: it is opened as soon as its store answers, and drains on close. What a handler throws is
 * logged and the job is finished all the same, since Postgres and the sweep decide about another run.
 */
export class Consumer {
  private readonly stop = new AbortController();
  private readonly giveUp = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private opening: Promise<void> | undefined;
  private closing: Promise<void> | undefined;
  private worker: HintWorker | undefined;

  constructor(
    private readonly backend: Backend,
    private readonly name: QueueName,
    private readonly handler: JobHandler,
    private readonly concurrency: number,
    private readonly logger: QueueLogger,
  ) {}

  /** Opens the worker, now or as soon as the store answers. */
  start(): void {
    this.opening ??= this.open();
  }

  /** Takes no more jobs, waits for the running ones; after drainMs aborts their signal and waits a little more. */
  close(drainMs: number): Promise<void> {
    this.closing ??= this.drain(drainMs);
    return this.closing;
  }

  private async drain(drainMs: number): Promise<void> {
    this.stop.abort();
    const timer = setTimeout(() => this.giveUp.abort(), drainMs);
    await this.opening;
    const worker = this.worker;
    if (worker) {
      const closing = worker.close().catch(() => undefined);
      while (this.running.size > 0 && !this.giveUp.signal.aborted) {
        await Promise.race([Promise.allSettled(this.running), aborted(this.giveUp.signal)]);
      }
      // Without its store BullMQ's close can wait for ever.
      if (!(await endsWithin(CLOSE_MS, closing))) void worker.disconnect().catch(() => undefined);
    }
    clearTimeout(timer);
  }

  private async open(): Promise<void> {
    const logFailure = occasionally((reason) =>
      this.logger.warn({ queue: this.name, reason }, 'a queue worker reports an error of its store'),
    );
    const closing = rejectWhen(this.stop.signal);
    closing.catch(() => undefined); // raced below; on its own it is no failure
    while (!this.stop.signal.aborted) {
      const worker = this.backend.worker(this.name, this.process, this.concurrency);
      worker.on('error', (error) => logFailure(error.message));
      try {
        await Promise.race([worker.waitUntilReady(), closing]);
        this.worker = worker;
        void worker.run().catch((error: Error) => logFailure(error.message));
        return;
      } catch (error) {
        if (!this.stop.signal.aborted) logFailure(error instanceof Error ? error.message : String(error));
        await endsWithin(
          CLOSE_MS,
          worker.close(true).catch(() => undefined),
        );
        await sleep(RETRY_MS, this.stop.signal);
      }
    }
  }

  private readonly process: HintProcessor = async (job) => {
    const run = this.handler(job, this.giveUp.signal).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.logger.error(
        { queue: this.name, job: job.name, reason },
        'a queue handler failed; the sweep will run it again',
      );
    });
    this.running.add(run);
    await run.finally(() => this.running.delete(run));
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function rejectWhen(signal: AbortSignal): Promise<never> {
  await aborted(signal);
  throw new Error('closing');
}
