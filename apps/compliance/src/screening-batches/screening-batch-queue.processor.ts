import { Processor, WorkerHost } from '@constancia/queue';
import { BatchWorker } from './batch-worker.ts';

/** Hints of any compliance process: a batch was accepted. */
@Processor('screening-batch', { concurrency: 1 })
export class ScreeningBatchQueueProcessor extends WorkerHost {
  constructor(private readonly batches: BatchWorker) {
    super();
  }

  override process(): Promise<void> {
    return this.batches.wake();
  }
}
