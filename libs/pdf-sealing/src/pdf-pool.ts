import { createHash } from 'node:crypto';
import { ChildLost } from '@constancia/kernel';
import type { PreparedSeal, SealOptions } from './append/revision.ts';
import { childBundle } from './child-bundle.ts';
import { detached } from './attachments.ts';
import type { Additions } from './drawing.ts';
import type { Hole, TemplateKey } from './jobs.ts';
import type { EmbeddedSignature } from './pades/embedded-signatures.ts';
import { PdfProcess, tooMuchMemory } from './pdf-process.ts';
import type { Answer, Job } from './pdf-process.ts';
import type { Placeholder } from './placeholder.ts';
import { SealingFailure } from './sealing-failure.ts';
import { unreadable } from './template-report.ts';
import type { TemplateReport } from './template-report.ts';
import { valuesAt } from './values-at.ts';

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

interface Waiting {
  job: Job;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/**
 * Reads and fills PDFs in child processes bounded in time and memory. No input takes the calling process down: a child that dies
 * costs its one document `too_complex` (after a second try, when it is not plain why) and is replaced.
 */
export class PdfPool {
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

  /**
   * Looks at a template as the sealing run will. What is wrong with the file comes as a warning, never as an error. Throws
   * PdfPoolBusy, and SealingFailure `internal` when no child can be started.
   */
  async inspect(pdf: Buffer, placeholders: readonly Placeholder[]): Promise<TemplateReport> {
    try {
      const { head } = await this.run({ head: { job: 'inspect', placeholders }, pdf, attachments: [] });
      if (head.answer !== 'report') throw confused();
      return head.report;
    } catch (error) {
      if (error instanceof SealingFailure && error.code !== 'internal') return unreadable(error);
      throw error;
    }
  }

  /** `draw` with each value at its placeholder, on one line. */
  fill(
    pdf: Buffer,
    placeholders: readonly Placeholder[],
    values: Readonly<Record<string, string>>,
    sha256?: string,
  ): Promise<Buffer> {
    return this.draw(pdf, { drawings: valuesAt(placeholders, values) }, sha256);
  }

  /** `assemble` with each value at its placeholder, on one line. */
  prepare(
    pdf: Buffer,
    placeholders: readonly Placeholder[],
    values: Readonly<Record<string, string>>,
    seal: SealOptions,
    sha256?: string,
  ): Promise<PreparedSeal> {
    return this.assemble(pdf, { drawings: valuesAt(placeholders, values) }, seal, sha256);
  }

  /**
   * Draws on a template, appends pages behind its own, and answers the new file: the template's own bytes and, behind them, one revision. A
   * damaged template is written anew first. Throws SealingFailure (the input's fault, or `internal`) and PdfPoolBusy. The same input
   * makes the same file. `sha256`: the template's, in hex, if it is known already.
   */
  async draw(pdf: Buffer, additions: Additions, sha256?: string): Promise<Buffer> {
    return (await this.revise(pdf, additions, undefined, sha256)).bytes;
  }

  /**
   * As `draw`, and with a signature field whose signature is still to be computed and put into the hole, in the same revision:
   * signatures that the template has stay valid.
   */
  async assemble(pdf: Buffer, additions: Additions, seal: SealOptions, sha256?: string): Promise<PreparedSeal> {
    const { bytes, hole } = await this.revise(pdf, additions, seal, sha256);
    if (!hole) throw confused();
    return { bytes, ...hole };
  }

  private async revise(
    pdf: Buffer,
    all: Additions,
    seal: SealOptions | undefined,
    sha256: string | undefined,
  ): Promise<{ bytes: Buffer; hole?: Hole }> {
    const { additions, attachments } = detached(all);
    const attachmentBytes = attachments.map(({ length }) => length);
    const head: Job['head'] = { job: 'revise', template: keyOf(pdf, sha256), additions, attachmentBytes, seal };
    const { head: answer, bytes } = await this.run({ head, pdf, attachments });
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
      const { head } = await this.run({ head: { job: 'verify' }, pdf, attachments: [] });
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
    for (const { reject } of this.queue.splice(0)) reject(new PdfPoolBusy());
    if (this.running > 0) await new Promise<void>((resolve) => (this.drained = resolve));
    const ended = [...this.all].map((child) => child.ended);
    for (const child of this.all) child.kill();
    await Promise.all(ended);
  }

  private async run(job: Job): Promise<Answer> {
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
