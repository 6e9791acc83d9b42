import { PeriodicTask, type PeriodicTaskOptions } from '@constancia/kernel';
import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';

export interface PeriodicWorkOptions extends Omit<PeriodicTaskOptions, 'run'> {
  /** Whether the first run is at start-up, not one interval later. */
  runsAtStart?: boolean;
}

/** A provider that repeats work in every process, from start-up on. At shutdown the run in progress ends before connections close. */
export abstract class PeriodicWork implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  protected readonly task: PeriodicTask;

  constructor(private readonly periodic: PeriodicWorkOptions) {
    this.task = new PeriodicTask({ ...periodic, run: (signal) => this.run(signal) });
  }

  /** Does what is due now. Throws what fails: the runner logs and measures it, and runs it again. A long run ends early once the signal aborts. */
  abstract run(signal: AbortSignal): Promise<void>;

  /** There is something to do, and its transaction has committed. Never waits and never throws; a lost call costs an interval. */
  wake(): void {
    this.task.wake();
  }

  onApplicationBootstrap(): void {
    this.task.start();
    if (this.periodic.runsAtStart) this.task.wake();
  }

  /** Every task of a process begins no further run at the same moment, and they end beside each other. */
  onModuleDestroy(): void {
    void this.task.close();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.close();
  }
}
