import { LeaseWorker, Queues } from '@constancia/queue';
import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { BATCH, placesFor } from './batches.ts';
import { SealingConfig } from './config.ts';
import { SealingRun } from './sealing-run.ts';
import { SealingSources } from './sealing-sources.ts';
import { LEASE_SECONDS } from './sealing-table.ts';
import type { SealingWork } from './sealing-work.ts';

/** Interface document, "Limits": the sealing worker runs every 3 seconds. */
const SWEEP_EVERY_MS = 3_000;

/** Claims documents that wait, in batches, as many at a time as KMS can sign for. */
@Injectable()
export class SealingWorker extends LeaseWorker<SealingWork> {
  constructor(queues: Queues, sources: SealingSources, run: SealingRun, config: SealingConfig, logger: Logger) {
    super(queues, {
      queue: 'sealing',
      sweepEveryMs: SWEEP_EVERY_MS,
      store: sources,
      leaseSeconds: LEASE_SECONDS,
      work: (work) => run.run(work),
      concurrency: placesFor(config.kmsMaxPerSecond),
      batch: BATCH,
      logger,
    });
  }
}
