import { LEASE_SECONDS } from '@constancia/batches';
import { LeaseWorker, Processor, Queues, WorkerHost } from '@constancia/queue';
import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { type ClaimedBatch, EnvelopeBatchJobs } from './batch-jobs.ts';
import { EnvelopeBatchTurns } from './batch-turns.ts';

const SWEEP_EVERY_MS = 5_000;

/** Claims batches, one at a time in each process: requests need the rest of it. */
@Injectable()
export class BatchWorker extends LeaseWorker<ClaimedBatch> {
  constructor(queues: Queues, jobs: EnvelopeBatchJobs, turns: EnvelopeBatchTurns, logger: Logger) {
    super(queues, {
      queue: 'envelope-batch',
      sweepEveryMs: SWEEP_EVERY_MS,
      store: jobs,
      leaseSeconds: LEASE_SECONDS,
      work: (batch) => turns.run(batch),
      concurrency: 1,
      logger,
    });
  }
}

/** Hints of any signing process: a batch was accepted. */
@Processor('envelope-batch', { concurrency: 1 })
export class EnvelopeBatchQueueProcessor extends WorkerHost {
  constructor(private readonly batches: BatchWorker) {
    super();
  }

  override process(): Promise<void> {
    return this.batches.wake();
  }
}
