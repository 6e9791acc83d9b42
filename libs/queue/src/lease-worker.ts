import type { QueueName } from '@constancia/contracts';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { type Leased, LeasedWork, type LeasedWorkOptions } from './leased-work.ts';
import type { QueueLogger } from './queue-logger.ts';
import type { Queues } from './queues.ts';
import { sweepRegularly } from './sweep-regularly.ts';

export interface LeaseWorkerOptions<Work extends Leased> extends LeasedWorkOptions<Work> {
  /** Whose schedule the sweep uses. The processor of its hints calls wake(). */
  queue: QueueName;
  sweepEveryMs: number;
  logger: QueueLogger;
}

/**
 * Leased work as a provider: the processor of its queue wakes it for a hint, the sweep for what no hint announced. At shutdown it
 * claims no more and lets what is in progress end.
 */
export abstract class LeaseWorker<Work extends Leased> implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly work: LeasedWork<Work>;
  private readonly stop = new AbortController();
  private sweeps: Promise<void> | undefined;

  constructor(
    private readonly queues: Queues,
    private readonly options: LeaseWorkerOptions<Work>,
  ) {
    this.work = new LeasedWork(options);
  }

  /** As LeasedWork.wake. */
  wake(): Promise<void> {
    return this.work.wake();
  }

  onApplicationBootstrap(): void {
    const { queue, sweepEveryMs, logger } = this.options;
    const sweep = () => this.wake();
    this.sweeps = sweepRegularly(this.queues, {
      queue,
      everyMs: sweepEveryMs,
      sweep,
      signal: this.stop.signal,
      logger,
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.sweeps;
    await this.work.close();
  }
}
