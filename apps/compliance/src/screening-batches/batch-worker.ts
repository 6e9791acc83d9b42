import { LEASE_SECONDS } from '@constancia/batches';
import { LeaseWorker, Queues } from '@constancia/queue';
import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { type ClaimedBatch, ScreeningBatchJobs } from './batch-jobs.ts';
import { ScreeningBatchTurns } from './batch-turns.ts';

const SWEEP_EVERY_MS = 5_000;

/** Claims batches, one at a time in each process: requests need the rest of it. */
@Injectable()
export class BatchWorker extends LeaseWorker<ClaimedBatch> {
  constructor(queues: Queues, jobs: ScreeningBatchJobs, turns: ScreeningBatchTurns, logger: Logger) {
    super(queues, {
      queue: 'screening-batch',
      sweepEveryMs: SWEEP_EVERY_MS,
      store: jobs,
      leaseSeconds: LEASE_SECONDS,
      work: (batch) => turns.run(batch),
      concurrency: 1,
      logger,
    });
  }
}
