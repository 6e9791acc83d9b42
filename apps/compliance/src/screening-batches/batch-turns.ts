import { BatchTurns } from '@constancia/batches';
import { RequestsUnderWay } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { DependencyUnavailable, NotFound } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { Logger, Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { type ClaimedBatch, ScreeningBatchJobs } from './batch-jobs.ts';
import { BATCH_LIMITS } from './batch-limits.ts';
import { ChunkCommits, type PlannedRows } from './chunk-commits.ts';
import { ChunkUnits, type WaitingRow } from './chunk-units.ts';
import type { BatchReason } from './screening-batch.entity.ts';
import { ScreeningBatches } from './screening-batches.ts';

@Injectable()
export class ScreeningBatchTurns extends BatchTurns<ClaimedBatch, WaitingRow, PlannedRows, BatchReason> {
  constructor(
    jobs: ScreeningBatchJobs,
    batches: ScreeningBatches,
    units: ChunkUnits,
    commits: ChunkCommits,
    queues: Queues,
    requests: RequestsUnderWay,
    logger: Logger,
    metrics: Metrics,
  ) {
    const done = metrics.counter('screening_batch_rows_total', 'Rows of screening batches that are done');
    super(
      {
        jobs,
        work: {
          waitingRows: (batch, chunk) => units.waitingRows(batch, chunk),
          subjectOf: ({ subject }) => subject[0],
          plan: (batch, rows) => commits.plan(batch, rows),
          commit: (batch, plan) => commits.commit(batch, plan),
        },
        cancel: (batch) => batches.cancel(batch.tenant_id, typeId('scb', batch.id)),
        queues,
        requests,
        logger,
      },
      { limits: BATCH_LIMITS, what: 'screening batch', reasonOf, onDone: (rows) => done.inc(rows) },
    );
    const stalled = metrics.gauge(
      'screening_batch_stalled_seconds',
      'For how long the open batch that waits for us has stood still',
    );
    metrics.gauge('screening_batches_open', 'Unfinished screening batches', ['status'], async (gauge) => {
      const { processing, paused, stalled_seconds } = await jobs.backlog();
      gauge.set({ status: 'processing' }, processing);
      gauge.set({ status: 'paused' }, paused);
      stalled.set(stalled_seconds);
    });
  }
}

function reasonOf(error: unknown) {
  if (error instanceof NotFound) return 'no_published_validation';
  return error instanceof DependencyUnavailable ? 'lists_unavailable' : 'internal_error';
}
