import { LeaseWorker, Queues } from '@constancia/queue';
import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { StepRunProcessor } from './step-run-processor.ts';
import { EnginePool } from './engines/engine-pool.ts';
import { type ClaimedRun, LEASE_SECONDS, StepRuns } from './step-runs.ts';

const SWEEP_EVERY_MS = 2_000;

/** Claims runs that wait, as many at a time as the engines take. */
@Injectable()
export class StepRunWorker extends LeaseWorker<ClaimedRun> {
  constructor(queues: Queues, runs: StepRuns, processor: StepRunProcessor, engines: EnginePool, logger: Logger) {
    super(queues, {
      queue: 'step-run',
      sweepEveryMs: SWEEP_EVERY_MS,
      store: runs,
      leaseSeconds: LEASE_SECONDS,
      work: (run) => processor.run(run),
      concurrency: engines.concurrency,
      logger,
    });
  }
}
