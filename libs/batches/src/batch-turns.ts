import { hintDeliveries } from '@constancia/events';
import { backoffMs } from '@constancia/kernel';
import type { RequestsUnderWay } from '@constancia/http';
import type { Queues } from '@constancia/queue';
import type { Logger } from '@constancia/telemetry';
import type { BatchJobs, ClaimedBatch, Progress, StoredChunk } from './batch-jobs.ts';
import type { BatchLimits } from './batch-limits.ts';
import type { CommonReason } from './batch-status.ts';

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

/**
 * done: every row is; `skipped`: those that nothing was made of. unpaid: the balance did not cover all of them. held: the rest waits for
 * `seconds`, because of `reason`. ended: the batch was cancelled meanwhile.
 */
export type ChunkOutcome<Reason extends string = never> =
  { is: 'done'; skipped: number } | { is: 'unpaid' | 'ended' } | { is: 'held'; reason: Reason; seconds: number };

/** What is done with the rows of a chunk. */
export interface ChunkWork<Batch, Row, Plan, Reason extends string> {
  /** Those that are not done. */
  waitingRows: (batch: Batch, chunk: StoredChunk) => Promise<Row[]>;
  /** Whom a row is about: rows about the same are done one after the other. */
  subjectOf: (row: Row) => string;
  plan: (batch: Batch, rows: readonly Row[]) => Promise<Plan>;
  /** Commits each row once, or not at all. Throws what the store throws. */
  commit: (batch: Batch, plan: Plan) => Promise<ChunkOutcome<Reason>>;
}

interface PreparedChunk<Row, Plan> {
  chunk: StoredChunk;
  waiting: Row[];
  planned: Plan;
}

/** What is being committed while the next chunk is prepared. */
interface UnderWay {
  afterRow: number;
  subjects: ReadonlySet<string>;
  committed: Promise<unknown>;
}

export interface TurnOptions<Reason extends string> {
  limits: Pick<BatchLimits, 'days'>;
  /** For the log: `screening batch`. */
  what: string;
  /** Why a batch waits that failed with this. */
  reasonOf: (error: unknown) => Reason | 'internal_error';
  /** Rows were done. */
  onDone: (rows: number) => void;
}

export interface TurnParts<
  Batch extends ClaimedBatch<object, Reason | CommonReason>,
  Row,
  Plan,
  Reason extends string,
> {
  jobs: BatchJobs<Batch, Reason | CommonReason>;
  work: ChunkWork<Batch, Row, Plan, Reason>;
  /** Ends a batch whose tenant is closed. */
  cancel: (batch: Batch) => Promise<unknown>;
  queues: Queues;
  requests: Pick<RequestsUnderWay, 'lately'>;
  logger: Logger;
}

const NO_PROGRESS: Progress = { throughRow: 0, skipped: 0 };
const NOTHING: UnderWay = { afterRow: 0, subjects: new Set(), committed: Promise.resolve() };

/**
 * Works on a claimed batch, chunk by chunk. While one is committed, the next one is prepared, unless there are requests to answer: then a
 * batch keeps this process and the store busy in turn, never both.
 */
export class BatchTurns<
  Batch extends ClaimedBatch<object, Reason | CommonReason>,
  Row,
  Plan,
  Reason extends string = never,
> {
  constructor(
    private readonly parts: TurnParts<Batch, Row, Plan, Reason>,
    private readonly options: TurnOptions<Reason>,
  ) {}

  /** Never rejects. */
  async run(batch: Batch): Promise<void> {
    try {
      await this.turn(batch);
    } catch (error) {
      await this.handleFailure(batch, error).catch((also: unknown) =>
        this.parts.logger.warn({ error: also }, `${this.options.what}: it could not be put off; its lease runs out`),
      );
    }
  }

  private async turn(batch: Batch): Promise<void> {
    const { jobs, work, cancel } = this.parts;
    if (await jobs.isOfClosedTenant(batch)) return void (await cancel(batch));
    if (Date.now() - batch.created_at.getTime() > this.options.limits.days * DAY_MS)
      return this.end(batch, 'failed', 'expired');
    if (batch.reason === 'insufficient_credits' && !(await this.canPay(batch))) return this.pauseUnpaid(batch);
    const until = performance.now() + TURN_MS;
    let next = () => this.prepare(batch, NOTHING);
    let made: Progress = NO_PROGRESS;
    for (let written = performance.now(); ;) {
      const prepared = await next();
      if (!prepared) {
        if (made !== NO_PROGRESS && !(await jobs.advance(batch, made))) return;
        return this.end(batch, 'completed', null);
      }
      const { chunk, waiting, planned } = prepared;
      const committed = work.commit(batch, planned);
      const isLast = performance.now() > until;
      if (!isLast) next = this.nextAfter(batch, prepared, committed);
      const outcome = await committed;
      if (outcome.is !== 'done') return this.stop(batch, outcome);
      made = progressAfter(made, chunk, outcome.skipped);
      this.options.onDone(waiting.length);
      if (isLast || performance.now() - written > PROGRESS_MS) {
        if (!(await jobs.advance(batch, made))) return;
        [made, written] = [NO_PROGRESS, performance.now()];
      }
      if (isLast) return void (await jobs.giveBack(batch));
    }
  }

  /** What prepares the chunk after another: from now on, or from when it is called. */
  private nextAfter(
    batch: Batch,
    { chunk, waiting }: PreparedChunk<Row, Plan>,
    committed: Promise<unknown>,
  ): () => Promise<PreparedChunk<Row, Plan> | undefined> {
    const afterRow = chunk.first_row;
    if (this.parts.requests.lately()) return () => this.prepare(batch, { ...NOTHING, afterRow });
    const subjects = new Set(waiting.map((row) => this.parts.work.subjectOf(row)));
    const ahead = this.prepare(batch, { afterRow, subjects, committed });
    ahead.catch(() => undefined); // thrown where its turn comes
    return () => ahead;
  }

  private async stop(batch: Batch, outcome: Exclude<ChunkOutcome<Reason>, { is: 'done' }>): Promise<void> {
    if (outcome.is === 'unpaid') return this.pauseUnpaid(batch);
    if (outcome.is === 'held')
      await this.parts.jobs.defer(batch, outcome.seconds, `it waits: ${outcome.reason}`, outcome.reason);
  }

  /** The next chunk, prepared. One with a subject of the chunk before waits for it. */
  private async prepare(
    batch: Batch,
    { afterRow, subjects, committed }: UnderWay,
  ): Promise<PreparedChunk<Row, Plan> | undefined> {
    const { jobs, work } = this.parts;
    const chunk = await jobs.nextChunk(batch, afterRow);
    if (!chunk) return undefined;
    const waiting = await work.waitingRows(batch, chunk);
    if (waiting.some((row) => subjects.has(work.subjectOf(row)))) await committed;
    return { chunk, waiting, planned: await work.plan(batch, waiting) };
  }

  /** Tries the first row alone. */
  private async canPay(batch: Batch): Promise<boolean> {
    const { jobs, work } = this.parts;
    const chunk = await jobs.nextChunk(batch, 0);
    if (!chunk) return true;
    const [first] = await work.waitingRows(batch, chunk);
    if (!first) return true;
    return (await work.commit(batch, await work.plan(batch, [first]))).is !== 'unpaid';
  }

  private async pauseUnpaid(batch: Batch): Promise<void> {
    await this.parts.jobs.defer(batch, UNPAID_SECONDS, 'the balance is used up', 'insufficient_credits');
  }

  private async end(batch: Batch, status: 'completed' | 'failed', reason: 'expired' | null): Promise<void> {
    const event = await this.parts.jobs.end(batch, status, reason);
    if (event) hintDeliveries(this.parts.queues, [event]);
  }

  private async handleFailure(batch: Batch, error: unknown): Promise<void> {
    const { jobs, logger } = this.parts;
    const { what, reasonOf } = this.options;
    const reason = reasonOf(error);
    if (reason === 'internal_error')
      logger.error({ error, attempts: batch.attempts }, `${what}: a chunk failed; it is tried again`);
    const shown = reason !== 'internal_error' || batch.attempts > UNSEEN_FAILURES ? reason : undefined;
    const trouble = error instanceof Error ? error.message : String(error);
    await jobs.defer(batch, backoffMs(batch.attempts, RETRY) / 1_000, trouble, shown);
  }
}

/** Chunks are done in their order. */
function progressAfter({ skipped }: Progress, { first_row, rows }: StoredChunk, also: number): Progress {
  return { throughRow: first_row + rows - 1, skipped: skipped + also };
}
