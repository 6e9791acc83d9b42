import { Queue, Worker } from 'bullmq';
import type { BackendFactory, IQueueBackend, JobsOptions, Processor, WorkerOptions } from 'bullmq';
import { sleep } from '@constancia/kernel';

/** What travels in a job: a hint's message, or nothing for a sweep. */
export type Payload = object;
type BullQueue = Queue<Payload, void, string, Payload, void, string, IQueueBackend, unknown>;

/** Without cron patterns: the bundles have no parser for them. */
export type HintQueue = Omit<BullQueue, 'upsertJobScheduler'> & {
  upsertJobScheduler(
    id: string,
    repeat: { every: number; pattern?: never },
    template: { name: string; data: Payload; opts: JobsOptions },
  ): Promise<unknown>;
};
export type HintWorker = Worker<Payload, void, string, IQueueBackend, number, unknown>;
export type HintProcessor = Processor<Payload, void, string, number>;

/** One hint on its way out. */
export interface Hint {
  message: Payload;
  dedupId: string;
}

/** How long an object that lost its store waits before it tries again. */
export const RETRY_MS = 500;

/**
 * The producing side of a store: one small connection that all queues of the process share. Made for as long as it works:
 * when it never got ready it is closed and replaced, because BullMQ remembers a failed first connection for ever.
 */
export interface Producer {
  queue(name: string): HintQueue;
  send(name: string, hints: Hint[]): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A store that BullMQ can use: Redis, or BullMQ's own PostgreSQL tables. */
export interface Backend {
  readonly kind: 'redis' | 'postgres';
  /** Resolves when the store answered; rejects when it is unavailable. */
  openProducer(): Promise<Producer>;
  /** A worker that does not run yet and may still fail to get ready. */
  worker(name: string, processor: HintProcessor, concurrency: number): HintWorker;
}

/** Finished jobs are of no use to anyone: Postgres holds the truth. */
export const FORGET = { removeOnComplete: true, removeOnFail: true } as const;

/**
 * The job that carries a hint: while it waits, the same id adds nothing; while it runs, exactly one more run follows. With a
 * priority it stands behind every job without one, so that a sweep need not wait for a long line of hints.
 */
export function hintOptions(dedupId: string) {
  return { ...FORGET, priority: 1, deduplication: { id: dedupId, keepLastIfActive: true } };
}

/**
 * Short locks: a worker that was killed gives its job back within about 15 s. runRetryDelay is the pause after a refused
 * connection (BullMQ's default of 15 s would hold the sweep up for as long).
 */
const WORKER_TIMES = {
  lockDuration: 10_000,
  stalledInterval: 5_000,
  maxStalledCount: 10,
  drainDelay: 5,
  runRetryDelay: 1_000,
} satisfies Partial<WorkerOptions>;

export function makeWorker(
  name: string,
  processor: HintProcessor,
  own: { concurrency: number; connection: unknown; prefix?: string },
  factory: BackendFactory<IQueueBackend, unknown>,
): HintWorker {
  const options = {
    ...WORKER_TIMES,
    ...own,
    autorun: false,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  };
  return new Worker<Payload, void, string, IQueueBackend, number, unknown>(name, processor, options, (...args) =>
    steady(factory(...args)),
  );
}

/**
 * BullMQ's worker asks again at once after an error that it does not take for a refused connection (a server that is
 * starting up, a missing table): a busy loop. A failed claim costs half a second here.
 */
function steady(backend: IQueueBackend): IQueueBackend {
  const claim = backend.moveToActive.bind(backend);
  backend.moveToActive = async (token, name) => {
    try {
      return await claim(token, name);
    } catch (error) {
      await sleep(RETRY_MS);
      throw error;
    }
  };
  return backend;
}
