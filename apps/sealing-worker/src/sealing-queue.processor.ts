import { Processor, WorkerHost } from '@constancia/queue';
import { BATCH } from './batches.ts';
import { SealingWorker } from './sealing-worker.ts';

/** Hints of the signing app: documents wait to be sealed. */
@Processor('sealing', { concurrency: BATCH })
export class SealingQueueProcessor extends WorkerHost {
  constructor(private readonly sealing: SealingWorker) {
    super();
  }

  override process(): Promise<void> {
    return this.sealing.wake();
  }
}
