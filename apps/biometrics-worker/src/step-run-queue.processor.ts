import { Processor, WorkerHost } from '@constancia/queue';
import { StepRunWorker } from './step-run-worker.ts';

/** Hints of the platform: runs of identity steps wait. */
@Processor('step-run', { concurrency: 16 })
export class StepRunQueueProcessor extends WorkerHost {
  constructor(private readonly runs: StepRunWorker) {
    super();
  }

  override process(): Promise<void> {
    return this.runs.wake();
  }
}
