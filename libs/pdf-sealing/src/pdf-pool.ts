import { createHash } from 'node:crypto';
import type { PreparedSeal, SealOptions } from './append/revision.ts';
import { childBundle } from './child-bundle.ts';
import type { Hole, JobHead, TemplateKey } from './jobs.ts';
import type { EmbeddedSignature } from './pades/embedded-signatures.ts';
import { ChildLost, PdfProcess, tooMuchMemory } from './pdf-process.ts';
import type { Answer } from './pdf-process.ts';
import type { Placeholder } from './placeholder.ts';
import { SealingFailure } from './sealing-failure.ts';
import { unreadable } from './template-report.ts';
import type { TemplateReport } from './template-report.ts';

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

const confused = () => new SealingFailure('internal', 'The process that reads documents is confused.');

function keyOf(pdf: Buffer, sha256 = createHash('sha256').update(pdf).digest('hex')): TemplateKey {
  return { sha256, bytes: pdf.length };
}

interface Job {
  head: JobHead;
  pdf: Buffer;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Reads and fills PDFs in child processes bounded in time and memory. No input takes the calling process down: a child that dies
 * costs its one document `too_complex` (after a second try, when it is not plain why) and is replaced.
 */
export class PdfPool {
  private readonly queue: Job[] = [];
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

  /**
   * Looks at a template as the sealing run will. What is wrong with the file comes as a warning, never as an error. Throws
   * PdfPoolBusy, and SealingFailure `internal` when no child can be started.
   */
  async inspect(pdf: Buffer, placeholders: Placeholder[]): Promise<TemplateReport> {
    try {
      const { head } = await this.run({ job: 'inspect', placeholders }, pdf);
      if (head.answer !== 'report') throw confused();
      return head.report;
    } catch (error) {
      if (error instanceof SealingFailure && error.code !== 'internal') return unreadable(error);
      throw error;
    }
  }

  /**
   * Draws each value at its placeholder and answers the new file: the template's own bytes and, behind them, one revision. A
   * damaged template is written anew first. Throws SealingFailure (the input's fault, or `internal`) and PdfPoolBusy. The same input
   * makes the same file. `sha256`: the template's, in hex, if it is known already.
   */
  async fill(
    pdf: Buffer,
    placeholders: Placeholder[],
    values: Record<string, string>,
    sha256?: string,
  ): Promise<Buffer> {
    return (await this.append({ job: 'fill', template: keyOf(pdf, sha256), placeholders, values }, pdf)).bytes;
  }

  /**
   * As `fill`, and with a signature field whose signature is still to be computed and put into the hole, in the same revision:
   * signatures that the template has stay valid.
   */
  async prepare(
    pdf: Buffer,
    placeholders: Placeholder[],
    values: Record<string, string>,
    seal: SealOptions,
    sha256?: string,
  ): Promise<PreparedSeal> {
    const head: JobHead = { job: 'fill', template: keyOf(pdf, sha256), placeholders, values, seal };
    const { bytes, hole } = await this.append(head, pdf);
    if (!hole) throw confused();
    return { bytes, ...hole };
  }

  private async append(head: JobHead, pdf: Buffer): Promise<{ bytes: Buffer; hole?: Hole }> {
    const { head: answer, bytes } = await this.run(head, pdf);
    if (answer.answer === 'filled') return { bytes, hole: answer.hole };
    if (answer.answer === 'appended') return { bytes: Buffer.concat([pdf, bytes]), hole: answer.hole };
    throw confused();
  }

  /**
   * The signatures in the bytes, the latest first, each verified over its byte range. Bytes that are too much work have none. Throws
   * PdfPoolBusy, and SealingFailure `internal` when no child can be started.
   */
  async verify(pdf: Buffer): Promise<EmbeddedSignature[]> {
    try {
      const { head } = await this.run({ job: 'verify' }, pdf);
      if (head.answer !== 'verified') throw confused();
      return head.signatures;
    } catch (error) {
      if (error instanceof SealingFailure && error.code !== 'internal') return [];
      throw error;
    }
  }

  /** Lets documents in hand finish, refuses those that wait, and ends the children. */
  async close(): Promise<void> {
    this.closed = true;
    for (const job of this.queue.splice(0)) job.reject(new PdfPoolBusy());
    if (this.running > 0) await new Promise<void>((resolve) => (this.drained = resolve));
    const ended = [...this.all].map((child) => child.ended);
    for (const child of this.all) child.kill();
    await Promise.all(ended);
  }

  private async run(head: JobHead, pdf: Buffer): Promise<Answer> {
    const answer = await this.enqueue(head, pdf)
      .catch((error: unknown) => {
        if (error instanceof ChildLost) return this.enqueue(head, pdf); // perhaps it was not this document
        throw error;
      })
      .catch((error: unknown) => {
        if (!(error instanceof ChildLost)) throw error;
        throw error.bySignal ? tooMuchMemory() : new SealingFailure('internal', 'The document could not be processed.');
      });
    if (answer.head.answer === 'failed') throw new SealingFailure(answer.head.code, answer.head.sentence);
    return answer;
  }

  private enqueue(head: JobHead, pdf: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.closed || this.queue.length >= (this.options.waiting ?? 64)) return reject(new PdfPoolBusy());
      this.queue.push({ head, pdf, resolve, reject });
      this.dispatch();
    });
  }

  private dispatch(): void {
    while (this.queue.length > 0) {
      const child = this.idle.pop();
      if (!child) break;
      if (child.usable) this.give(child, this.queue.shift() as Job);
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

  private give(child: PdfProcess, job: Job): void {
    this.running++;
    child
      .run(job.head, job.pdf)
      .then(job.resolve, job.reject)
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
