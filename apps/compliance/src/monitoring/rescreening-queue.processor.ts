import { Processor, WorkerHost } from '@constancia/queue';
import { Monitoring } from './monitoring.ts';

/** Hints of any compliance process: it has other lists than before. */
@Processor('rescreening', { concurrency: 1 })
export class RescreeningQueueProcessor extends WorkerHost {
  constructor(private readonly monitoring: Monitoring) {
    super();
  }

  override process(): Promise<void> {
    return this.monitoring.wake();
  }
}
