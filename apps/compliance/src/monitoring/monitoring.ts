import { sleep } from '@constancia/kernel';
import type { Queues } from '@constancia/queue';
import { type Logger, type Metrics, withSpan } from '@constancia/telemetry';
import type { RescreenJob, RescreenJobs } from './rescreen-jobs.ts';
import type { RescreenReport, Rescreening } from './rescreening.ts';

const SWEEP_EVERY_MS = 5_000;
/** A job that failed is tried again after so long, doubled each time, up to the maximum. */
const RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 15 * 60;

export interface MonitoringOptions {
  jobs: RescreenJobs;
  rescreening: Pick<Rescreening, 'run' | 'close'>;
  queues: Pick<Queues, 'consume' | 'every'>;
  logger: Logger;
  metrics: Metrics;
}

/**
 * Continuous monitoring: carries out the jobs that list changes leave behind, one at a time in each process. A hint starts it at
 * once; the sweep finds what no hint told, what failed, and what a process left when it died.
 */
export class Monitoring {
  private readonly stop = new AbortController();
  private working: Promise<void> | undefined;
  private clock: Promise<void> | undefined;
  private again = false;
  private sweptAt = 0;

  constructor(private readonly options: MonitoringOptions) {
    const { metrics, jobs } = options;
    const oldest = metrics.gauge('rescreen_oldest_seconds', 'Age of the oldest list change that subjects wait for');
    metrics.gauge('rescreen_jobs_waiting', 'Lists of tenants that are to be screened with again', [], async (gauge) => {
      const { waiting, oldestSeconds } = await jobs.backlog();
      gauge.set(waiting);
      oldest.set(oldestSeconds);
    });
  }

  start(): void {
    const { queues } = this.options;
    queues.consume('rescreening', () => this.wake(), { concurrency: 1 });
    queues.every('rescreening', 'sweep', SWEEP_EVERY_MS, () => this.wake());
    this.clock = this.ownClock();
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.clock;
    await this.working;
  }

  /** There may be work: resolves when there is none left. */
  wake(): Promise<void> {
    this.sweptAt = Date.now();
    this.again = true;
    this.working ??= this.work().finally(() => (this.working = undefined));
    return this.working;
  }

  /** While the queue is away, and its schedule with it, each process goes by its own clock. */
  private async ownClock(): Promise<void> {
    const { signal } = this.stop;
    while (!signal.aborted) {
      await sleep(SWEEP_EVERY_MS, signal);
      if (!signal.aborted && Date.now() - this.sweptAt > 2 * SWEEP_EVERY_MS) await this.wake();
    }
  }

  private async work(): Promise<void> {
    const { jobs, rescreening, logger } = this.options;
    try {
      while (this.again && !this.stop.signal.aborted) {
        this.again = false;
        const job = await jobs.claim();
        if (!job) continue;
        this.again = true;
        await this.carryOut(job);
      }
    } catch (error) {
      logger.warn({ error }, 'the jobs of monitoring cannot be claimed; the sweep goes on');
    } finally {
      await rescreening.close();
    }
  }

  private async carryOut(job: RescreenJob): Promise<void> {
    const { jobs, rescreening, logger } = this.options;
    const began = performance.now();
    try {
      const facts = { 'list.code': job.list, 'list.pass': job.pass, 'job.attempt': job.attempts };
      const report = await withSpan('rescreen', facts, () => rescreening.run(job, this.stop.signal), {
        parent: job.traceparent,
      });
      if (report) logger.info(lineOf(job, report, performance.now() - began), 'subjects were screened again');
    } catch (error) {
      const stopped = this.stop.signal.aborted;
      const seconds = stopped ? 0 : Math.min(RETRY_SECONDS * 2 ** (job.attempts - 1), MAX_RETRY_SECONDS);
      if (!stopped)
        logger.error({ error, name: job.list, attempts: job.attempts }, 'subjects could not be screened again');
      await jobs.defer(job, seconds, error instanceof Error ? error.message : String(error));
    }
  }
}

function lineOf({ list, pass }: RescreenJob, { subjects, affected, rescreened }: RescreenReport, ms: number): object {
  return {
    name: list,
    context: pass,
    subjects_count: subjects,
    affected_count: affected,
    rescreened_count: rescreened,
    duration_ms: Math.round(ms),
  };
}
