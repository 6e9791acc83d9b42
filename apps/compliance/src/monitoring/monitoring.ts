import { backoffMs, type PeriodicTask } from '@constancia/kernel';
import { Queues, sweepRegularly } from '@constancia/queue';
import { Logger, Metrics, withSpan } from '@constancia/telemetry';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Lists } from '../lists/lists.ts';
import { type ClaimedJob, RescreenJobs } from './rescreen-jobs.ts';
import { type RescreenReport, Rescreening } from './rescreening.ts';

const SWEEP_EVERY_MS = 5_000;
/** The pauses before a job that failed is tried again. */
const RETRY = { firstMs: 5_000, longestMs: 15 * 60_000 };

/**
 * Continuous monitoring: does the jobs that list changes leave behind, one at a time in each process. A hint starts it at
 * once; the sweep finds what no hint announced, what failed, and what a process left when it died.
 */
@Injectable()
export class Monitoring implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly stop = new AbortController();
  private sweeps: PeriodicTask | undefined;
  private working: Promise<void> | undefined;
  private again = false;

  constructor(
    private readonly jobs: RescreenJobs,
    private readonly rescreening: Rescreening,
    private readonly queues: Queues,
    private readonly logger: Logger,
    lists: Lists,
    metrics: Metrics,
  ) {
    lists.onChange(() => queues.hint('rescreening', { v: 1 }, 'rescreening'));
    const oldest = metrics.gauge('rescreen_oldest_seconds', 'Age of the oldest list change that subjects wait for');
    metrics.gauge('rescreen_jobs_waiting', 'Lists of tenants that are to be screened with again', [], async (gauge) => {
      const { waiting, oldestSeconds } = await jobs.backlog();
      gauge.set(waiting);
      oldest.set(oldestSeconds);
    });
  }

  onApplicationBootstrap(): void {
    const { queues, logger } = this;
    const sweep = () => this.wake();
    this.sweeps = sweepRegularly(queues, { queue: 'rescreening', everyMs: SWEEP_EVERY_MS, sweep, logger });
  }

  /** Before the queues drain: a job that is interrupted goes on where it stands, in another process. */
  onModuleDestroy(): void {
    this.stop.abort();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweeps?.close();
    await this.working?.catch(() => undefined);
  }

  /** There may be work: resolves when there is none left. Throws what the store throws, to the caller who began the work. */
  wake(): Promise<void> {
    this.again = true;
    if (this.working) return this.working.catch(() => undefined);
    this.working = this.work().finally(() => (this.working = undefined));
    return this.working;
  }

  private async work(): Promise<void> {
    const { jobs, rescreening } = this;
    try {
      while (this.again && !this.stop.signal.aborted) {
        this.again = false;
        const job = await jobs.claim();
        if (!job) continue;
        this.again = true;
        await this.run(job);
      }
    } finally {
      await rescreening.close();
    }
  }

  private async run(job: ClaimedJob): Promise<void> {
    const { jobs, rescreening, logger } = this;
    const began = performance.now();
    try {
      const facts = { 'list.code': job.list, 'list.pass': job.pass, 'job.attempt': job.attempts };
      const report = await withSpan('rescreen', facts, () => rescreening.run(job, this.stop.signal), {
        parent: job.traceparent,
      });
      if (report) logger.info(lineOf(job, report, performance.now() - began), 'subjects were screened again');
    } catch (error) {
      const stopped = this.stop.signal.aborted;
      const seconds = stopped ? 0 : backoffMs(job.attempts, RETRY) / 1_000;
      if (!stopped)
        logger.error({ error, name: job.list, attempts: job.attempts }, 'subjects could not be screened again');
      await jobs.defer(job, seconds, error instanceof Error ? error.message : String(error));
    }
  }
}

function lineOf({ list, pass }: ClaimedJob, { subjects, affected, rescreened }: RescreenReport, ms: number): object {
  return {
    name: list,
    context: pass,
    subjects_count: subjects,
    affected_count: affected,
    rescreened_count: rescreened,
    duration_ms: Math.round(ms),
  };
}
