import {
  ChildLost,
  ChildNotStarted,
  ChildPool,
  ChildPoolBusy,
  type FramedChild,
  childProgram,
} from '@constancia/child-process';
import { KnownChild, tooMuchMemory } from './known-child.ts';
import type { Answer, Job } from './known-child.ts';
import { SealingFailure } from './sealing-failure.ts';

/** pdf-lib keeps much of what it read: a child that stays large is replaced. */
const WORN_SHARE = 0.5;

export interface PdfPoolOptions {
  /** Child processes at most; started when first needed. */
  processes: number;
  /** Bound of each child's memory, in MiB: what it may write to (RLIMIT_DATA on Linux). A 25 MB file needs about 300. */
  memoryMb: number;
  /** Longest time for one document; then the child is killed and that one call fails with too_complex. */
  deadlineMs: number;
  /** File of the child's bundle; default: pdf-child.js beside the running bundle. */
  childPath?: string;
  /** Documents that may wait for a child, each held in memory; default 64. Beyond: PdfPoolBusy. */
  waiting?: number;
}

/** Too many documents wait already: nothing is wrong with this one. Try again later. */
export class PdfPoolBusy extends Error {
  constructor() {
    super('too many documents are waiting');
    this.name = 'PdfPoolBusy';
  }
}

/**
 * Child processes bounded in time and memory, and the documents that wait for one. A child that dies costs its one document `too_complex`
 * (after a second try, when it is not plain why) and is replaced.
 */
export class PdfChildren {
  private readonly pool: ChildPool;
  private readonly known = new WeakMap<FramedChild, KnownChild>();

  constructor(private readonly options: PdfPoolOptions) {
    const { processes, memoryMb, childPath, waiting = 64 } = options;
    const program = () =>
      childPath === undefined ? childProgram(import.meta.url, 'pdf-child') : Promise.resolve(childPath);
    this.pool = new ChildPool({ program, processes, memoryMb, waiting, wornShare: WORN_SHARE });
  }

  /** Starts every child ahead of need, so that the first documents do not wait for it. Throws SealingFailure `internal`. */
  start(): Promise<void> {
    return this.pool.start().catch(asSealingFailure);
  }

  /** Has a child do a job. Throws PdfPoolBusy, and SealingFailure as the child says or when it is lost. */
  async run(job: Job): Promise<Answer> {
    const once = () => this.pool.use((child) => this.knownAs(child).run(job));
    const answer = await once()
      .catch((error: unknown) => {
        if (error instanceof ChildLost) return once(); // perhaps it was not this document
        throw error;
      })
      .catch(asSealingFailure);
    if (answer.head.answer === 'failed') throw new SealingFailure(answer.head.code, answer.head.sentence);
    return answer;
  }

  /** Lets documents in progress finish, refuses those that wait, and ends the children. */
  close(): Promise<void> {
    return this.pool.drain();
  }

  private knownAs(child: FramedChild): KnownChild {
    const known = this.known.get(child) ?? new KnownChild(child, this.options.deadlineMs);
    this.known.set(child, known);
    return known;
  }
}

function asSealingFailure(error: unknown): never {
  if (error instanceof ChildPoolBusy) throw new PdfPoolBusy();
  if (error instanceof ChildNotStarted)
    throw new SealingFailure('internal', 'The process that reads documents does not start.');
  if (!(error instanceof ChildLost)) throw error;
  throw error.end === 'signal'
    ? tooMuchMemory()
    : new SealingFailure('internal', 'The document could not be processed.');
}
