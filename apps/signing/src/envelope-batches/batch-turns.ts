import { BatchTurns } from '@constancia/batches';
import { RequestsUnderWay } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { Queues } from '@constancia/queue';
import { Logger, Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { type ClaimedBatch, EnvelopeBatchJobs } from './batch-jobs.ts';
import { BATCH_LIMITS } from './batch-limits.ts';
import { ChunkEnvelopes, type PlannedRows, type WaitingRow } from './chunk-envelopes.ts';
import { EnvelopeBatches } from './envelope-batches.ts';

@Injectable()
export class EnvelopeBatchTurns extends BatchTurns<ClaimedBatch, WaitingRow, PlannedRows, 'mail_limit'> {
  constructor(
    jobs: EnvelopeBatchJobs,
    batches: EnvelopeBatches,
    chunks: ChunkEnvelopes,
    queues: Queues,
    requests: RequestsUnderWay,
    logger: Logger,
    metrics: Metrics,
  ) {
    const done = metrics.counter('envelope_batch_rows_total', 'Rows of envelope batches that are done');
    super(
      {
        jobs,
        work: {
          waitingRows: (batch, chunk) => chunks.waitingRows(batch, chunk),
          subjectOf: ({ row }) => String(row), // rows do not depend on one another
          plan: (batch, rows) => chunks.plan(batch, rows),
          commit: (batch, plan) => chunks.commit(batch, plan),
        },
        cancel: (batch) => batches.cancel(batch.tenant_id, typeId('evb', batch.id)),
        queues,
        requests,
        logger,
      },
      {
        limits: BATCH_LIMITS,
        what: 'envelope batch',
        reasonOf: () => 'internal_error',
        onDone: (rows) => done.inc(rows),
      },
    );
    const stalled = metrics.gauge(
      'envelope_batch_stalled_seconds',
      'For how long the open batch that waits for us has stood still',
    );
    metrics.gauge('envelope_batches_open', 'Unfinished envelope batches', ['status'], async (gauge) => {
      const { processing, paused, stalled_seconds } = await jobs.backlog();
      gauge.set({ status: 'processing' }, processing);
      gauge.set({ status: 'paused' }, paused);
      stalled.set(stalled_seconds);
    });
  }
}
