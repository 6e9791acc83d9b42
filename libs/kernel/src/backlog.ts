import { IndependentWork } from './periodic-task.ts';

/** Work that a store lists until it is done. */
export interface Backlog<T> {
  batch: number;
  /** What is due now, at most `limit` of it, in any order. */
  due: (limit: number) => Promise<T[]>;
  /** Does it, so that it is no longer due. False: there was nothing to do. */
  handle: (one: T) => Promise<boolean | void>;
  /** As in IndependentWork.attempt. */
  about: (one: T) => object;
  signal?: AbortSignal;
}

/** When this many could not be done, the cause is not in them: the run ends, and the next one tries again. */
const MAX_UNDONE = 1_000;

/**
 * Works on what is due, a batch at a time, until a batch is not full or the signal aborts. What cannot be done is tried once in a run, and
 * blocks nothing else. Throws at the end what the first one that failed threw.
 */
export async function drainBacklog<T>(backlog: Backlog<T>): Promise<void> {
  const work = new IndependentWork();
  const undone = new Set<string>();
  await work.attempt(async () => {
    while (undone.size < MAX_UNDONE && (await drainBatch(backlog, work, undone)));
  });
  work.throwFirstFailure();
}

/** Whether more may be due. `undone`: what this run has tried and the store still lists, as JSON. */
async function drainBatch<T>(
  { batch, due, handle, about, signal }: Backlog<T>,
  work: IndependentWork,
  undone: Set<string>,
): Promise<boolean> {
  const limit = batch + undone.size;
  const found = await due(limit);
  for (const one of found) {
    const key = JSON.stringify(one);
    if (undone.has(key)) continue;
    if (signal?.aborted) return false;
    undone.add(key);
    const piece = async () => {
      if ((await handle(one)) !== false) undone.delete(key);
    };
    await work.attempt(piece, about(one));
  }
  return found.length === limit;
}
