import { PeriodicTask } from '@constancia/kernel';
import { LeasedWork } from '@constancia/queue';
import { Logger } from '@constancia/telemetry';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { EnginePool } from './engines/engine-pool.ts';
import { RecoveryCheckProcessor } from './recovery-check-processor.ts';
import { type ClaimedRecoveryCheck, RecoveryCheckStore } from './recovery-check-store.ts';
import { LEASE_SECONDS } from './step-runs.ts';

const SWEEP_EVERY_MS = 2_000;
/** Recoveries are rare: they must not keep the engines from the steps of flows. */
const AT_ONCE = 2;

/** Claims checks that wait: for a hint of the queue of step runs, and by its own clock. */
@Injectable()
export class RecoveryCheckWorker implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly work: LeasedWork<ClaimedRecoveryCheck>;
  private readonly sweeps: PeriodicTask;

  constructor(store: RecoveryCheckStore, processor: RecoveryCheckProcessor, engines: EnginePool, logger: Logger) {
    this.work = new LeasedWork({
      store,
      leaseSeconds: LEASE_SECONDS,
      work: (check) => processor.run(check),
      concurrency: Math.min(AT_ONCE, engines.concurrency),
      logger,
    });
    this.sweeps = new PeriodicTask({
      name: 'recovery-checks',
      everyMs: SWEEP_EVERY_MS,
      logger,
      run: () => this.work.wake(),
    });
  }

  wake(): Promise<void> {
    return this.work.wake();
  }

  onApplicationBootstrap(): void {
    this.sweeps.start();
  }

  onModuleDestroy(): void {
    this.work.stop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sweeps.close();
    await this.work.close();
  }
}
