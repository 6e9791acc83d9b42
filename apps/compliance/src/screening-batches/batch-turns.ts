import { hintDeliveries } from '@constancia/events';
import { backoffMs, typeId } from '@constancia/kernel';
import { DependencyUnavailable, NotFound } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { Logger, Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { BatchJobs, type ClaimedBatch, type Progress, type StoredChunk } from './batch-jobs.ts';
import { BATCH_LIMITS } from './batch-limits.ts';
import { ChunkCommits, type PlannedRows } from './chunk-commits.ts';
import { ChunkUnits, type WaitingRow } from './chunk-units.ts';
import type { BatchReason } from './screening-batch.entity.ts';
import { ScreeningBatches } from './screening-batches.ts';

/** How long a batch is worked on before others have their turn. */
const TURN_MS = 2_000;
/** How often its progress is written, at most. */
const PROGRESS_MS = 300;
const DAY_MS = 86_400_000;
/** When a batch without credits tries its next row. */
const UNPAID_SECONDS = 15;
/** The pauses before a batch that failed is tried again. */
const RETRY = { firstMs: 2_000, longestMs: 5 * 60_000 };
/** Failures that the tenant does not see: the store or a key service was unavailable for moments. */
const UNSEEN_FAILURES = 3;

interface PreparedChunk {
  chunk: StoredChunk;
  waiting: WaitingRow[];
  planned: PlannedRows;
}

/** What is being committed while the next chunk is prepared. */
interface UnderWay {
  afterRow: number;
  refs: ReadonlySet<string>;
  committed: Promise<unknown>;
}

const NO_PROGRESS: Progress = { throughRow: 0, skipped: 0 };
const NOTHING: UnderWay = { afterRow: 0, refs: new Set(), committed: Promise.resolve() };

/** Works on a claimed batch, chunk by chunk: while one is committed, the next one is decided. */
@Injectable()
export class BatchTurns {
  private readonly done;

  constructor(
    private readonly jobs: BatchJobs,
    private readonly batches: ScreeningBatches,
    private readonly units: ChunkUnits,
    private readonly commits: ChunkCommits,
    private readonly queues: Queues,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.done = metrics.counter('screening_batch_rows_total', 'Rows of screening batches that are done');
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

  /** Never rejects. */
  async run(batch: ClaimedBatch): Promise<void> {
    try {
      await this.turn(batch);
    } catch (error) {
      await this.handleFailure(batch, error).catch((also: unknown) =>
        this.logger.warn({ error: also }, 'a screening batch could not be put off; its lease runs out'),
      );
    }
  }

  private async turn(batch: ClaimedBatch): Promise<void> {
    if (await this.jobs.isOfClosedTenant(batch))
      return void (await this.batches.cancel(batch.tenant_id, typeId('scb', batch.id)));
    if (Date.now() - batch.created_at.getTime() > BATCH_LIMITS.days * DAY_MS)
      return this.end(batch, 'failed', 'expired');
    if (batch.reason === 'insufficient_credits' && !(await this.canPay(batch))) return this.pauseUnpaid(batch);
    const until = performance.now() + TURN_MS;
    let ahead = this.prepare(batch, NOTHING);
    let made: Progress = NO_PROGRESS;
    for (let written = performance.now(); ;) {
      const prepared = await ahead;
      if (!prepared) {
        if (made !== NO_PROGRESS && !(await this.jobs.advance(batch, made))) return;
        return this.end(batch, 'completed', null);
      }
      const { chunk, waiting, planned } = prepared;
      const committed = this.commits.commit(batch, planned);
      const isLast = performance.now() > until;
      if (!isLast) {
        const refs = new Set(waiting.map(({ subject }) => subject[0]));
        ahead = this.prepare(batch, { afterRow: chunk.first_row, refs, committed });
        ahead.catch(() => undefined); // thrown where its turn comes
      }
      const outcome = await committed;
      if (outcome === 'ended') return;
      if (outcome === 'unpaid') return this.pauseUnpaid(batch);
      made = progressAfter(made, chunk, waiting);
      this.done.inc(waiting.length);
      if (isLast || performance.now() - written > PROGRESS_MS) {
        if (!(await this.jobs.advance(batch, made))) return;
        [made, written] = [NO_PROGRESS, performance.now()];
      }
      if (isLast) return void (await this.jobs.giveBack(batch));
    }
  }

  /** The next chunk, decided. One with a subject of the chunk before waits for it. */
  private async prepare(
    batch: ClaimedBatch,
    { afterRow, refs, committed }: UnderWay,
  ): Promise<PreparedChunk | undefined> {
    const chunk = await this.jobs.nextChunk(batch, afterRow);
    if (!chunk) return undefined;
    const waiting = await this.units.waitingRows(batch, chunk);
    if (waiting.some(({ subject }) => refs.has(subject[0]))) await committed;
    return { chunk, waiting, planned: await this.commits.plan(batch, waiting) };
  }

  /** Tries the first row alone. */
  private async canPay(batch: ClaimedBatch): Promise<boolean> {
    const chunk = await this.jobs.nextChunk(batch, 0);
    if (!chunk) return true;
    const [first] = await this.units.waitingRows(batch, chunk);
    if (!first) return true;
    return (await this.commits.commit(batch, await this.commits.plan(batch, [first]))) !== 'unpaid';
  }

  private async pauseUnpaid(batch: ClaimedBatch): Promise<void> {
    await this.jobs.defer(batch, UNPAID_SECONDS, 'the balance is used up', 'insufficient_credits');
  }

  private async end(batch: ClaimedBatch, status: 'completed' | 'failed', reason: BatchReason | null): Promise<void> {
    const event = await this.jobs.end(batch, status, reason);
    if (event) hintDeliveries(this.queues, [event]);
  }

  private async handleFailure(batch: ClaimedBatch, error: unknown): Promise<void> {
    const reason = reasonOf(error);
    if (reason === 'internal_error')
      this.logger.error({ error, attempts: batch.attempts }, 'a chunk of a screening batch failed; it is tried again');
    const shown = reason !== 'internal_error' || batch.attempts > UNSEEN_FAILURES ? reason : undefined;
    const trouble = error instanceof Error ? error.message : String(error);
    await this.jobs.defer(batch, backoffMs(batch.attempts, RETRY) / 1_000, trouble, shown);
  }
}

/** Progress with one more chunk done: chunks are done in their order. */
function progressAfter(
  { skipped }: Progress,
  { first_row, rows }: StoredChunk,
  waiting: readonly WaitingRow[],
): Progress {
  return { throughRow: first_row + rows - 1, skipped: skipped + waiting.filter(({ isErased }) => isErased).length };
}

function reasonOf(error: unknown): BatchReason {
  if (error instanceof NotFound) return 'no_published_validation';
  return error instanceof DependencyUnavailable ? 'lists_unavailable' : 'internal_error';
}
