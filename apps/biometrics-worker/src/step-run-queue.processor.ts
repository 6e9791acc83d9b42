import { Processor, WorkerHost } from '@constancia/queue';
import { RecoveryCheckWorker } from './recovery-check-worker.ts';
import { StepRunWorker } from './step-run-worker.ts';

/** Hints of the platform: runs of identity steps, or checks of recoveries, wait. */
@Processor('step-run', { concurrency: 16 })
export class StepRunQueueProcessor extends WorkerHost {
  constructor(
    private readonly runs: StepRunWorker,
    private readonly recoveries: RecoveryCheckWorker,
  ) {
    super();
  }

  override async process(): Promise<void> {
    await Promise.all([this.runs.wake(), this.recoveries.wake()]);
  }
}
