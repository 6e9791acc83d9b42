import { ChildLost } from '@constancia/kernel';
import { childBundle } from './child-bundle.ts';
import { PdfProcess, tooMuchMemory } from './pdf-process.ts';
import type { Answer, Job } from './pdf-process.ts';
import { SealingFailure } from './sealing-failure.ts';

export interface PdfPoolOptions {
  /** Child processes at the most; started when first needed. */
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

interface Waiting {
  job: Job;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Child processes bounded in time and memory, and the documents that wait for one. A child that dies costs its one document `too_complex`
 * (after a second try, when it is not plain why) and is replaced.
 */
export class PdfChildren {
  private readonly queue: Waiting[] = [];
  private readonly idle: PdfProcess[] = [];
  private readonly all = new Set<PdfProcess>();
  private starting = 0;
  private running = 0;
  private closed = false;
  private drained: (() => void) | undefined;

  constructor(private readonly options: PdfPoolOptions) {}

  /** Starts every child ahead of need, so that the first documents do not wait for it. Throws SealingFailure `internal`. */
  async start(): Promise<void> {
    const missing = this.options.processes - this.all.size - this.starting;
    await Promise.all(Array.from({ length: Math.max(missing, 0) }, () => this.add()));
    this.dispatch();
  }

  /** Has a child do a job. Throws PdfPoolBusy, and SealingFailure as the child says or when it is lost. */
  async run(job: Job): Promise<Answer> {
    const answer = await this.enqueue(job)
      .catch((error: unknown) => {
        if (error instanceof ChildLost) return this.enqueue(job); // perhaps it was not this document
        throw error;
      })
      .catch((error: unknown) => {
        if (!(error instanceof ChildLost)) throw error;
        throw error.end === 'signal'
          ? tooMuchMemory()
          : new SealingFailure('internal', 'The document could not be processed.');
      });
    if (answer.head.answer === 'failed') throw new SealingFailure(answer.head.code, answer.head.sentence);
    return answer;
  }

  /** Lets documents in hand finish, refuses those that wait, and ends the children. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { reject } of this.queue.splice(0)) reject(new PdfPoolBusy());
    if (this.running > 0) await new Promise<void>((resolve) => (this.drained = resolve));
    const ended = [...this.all].map((child) => child.ended);
    for (const child of this.all) child.kill();
    await Promise.all(ended);
  }

  private enqueue(job: Job): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.closed || this.queue.length >= (this.options.waiting ?? 64)) return reject(new PdfPoolBusy());
      this.queue.push({ job, resolve, reject });
      this.dispatch();
    });
  }

  private dispatch(): void {
    while (this.queue.length > 0) {
      const child = this.idle.pop();
      if (!child) break;
      if (child.usable) this.give(child, this.queue.shift() as Waiting);
      else this.dismiss(child);
    }
    const wanted = Math.min(this.queue.length, this.options.processes - this.all.size);
    for (let count = this.starting; count < wanted; count++) void this.startOne();
  }

  private async startOne(): Promise<void> {
    try {
      await this.add();
    } catch (error) {
      this.queue.shift()?.reject(error); // one each, so that nothing waits for ever and nothing spins
    }
    this.dispatch();
  }

  private async add(): Promise<void> {
    this.starting++;
    try {
      const child = await PdfProcess.start(this.options.childPath ?? (await childBundle()), this.options);
      this.all.add(child);
      void child.ended.then(() => this.dismiss(child));
      if (this.closed) child.kill();
      else this.idle.push(child);
    } finally {
      this.starting--;
    }
  }

  private give(child: PdfProcess, { job, resolve, reject }: Waiting): void {
    this.running++;
    child
      .run(job)
      .then(resolve, reject)
      .finally(() => {
        this.running--;
        if (this.all.has(child)) this.idle.push(child);
        if (this.running === 0) this.drained?.();
        if (!this.closed) this.dispatch();
      });
  }

  private dismiss(child: PdfProcess): void {
    this.all.delete(child);
    const at = this.idle.indexOf(child);
    if (at >= 0) this.idle.splice(at, 1);
    child.kill();
  }
}
