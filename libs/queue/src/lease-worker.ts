import type { QueueName } from '@constancia/contracts';
import type { PeriodicTask } from '@constancia/kernel';
import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
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
 * Leased work as a provider: the processor of its queue wakes it for a hint, the sweep for what no hint announced. It claims
 * no more as soon as the app closes, and lets what is in progress end.
 */
export abstract class LeaseWorker<Work extends Leased>
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly work: LeasedWork<Work>;
  private sweeps: PeriodicTask | undefined;

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
    this.sweeps = sweepRegularly(this.queues, { queue, everyMs: sweepEveryMs, sweep, logger });
  }

  onModuleDestroy(): void {
    this.work.stop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweeps?.close();
    await this.work.close();
  }
}
