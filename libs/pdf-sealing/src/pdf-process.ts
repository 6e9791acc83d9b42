import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { overBound, residentMb, startBounded } from './bounded-process.ts';
import { FrameReader, frameOf } from './frames.ts';
import type { Frame } from './frames.ts';
import type { AnswerHead, JobHead } from './jobs.ts';
import { SealingFailure } from './sealing-failure.ts';

const START_TIMEOUT_MS = 30_000;
const WATCH_EVERY_MS = 50;
/** pdf-lib keeps every name and reference it ever saw: a child is replaced after so many documents, or when it stays large. */
const DOCUMENTS_PER_PROCESS = 2_000;
const WORN_SHARE = 0.5;

/** V8 out of memory, or an allocation that the operating system refused. */
const OUT_OF_MEMORY: readonly (string | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL'];

/** A child ended with a document in hand, for a reason that may have nothing to do with it (somebody's kill, the machine's memory). */
export class ChildLost extends Error {
  constructor(readonly bySignal: boolean) {
    super('the process that reads documents ended');
    this.name = 'ChildLost';
  }
}

export interface Job {
  head: JobHead;
  pdf: Buffer;
  /** Pictures that are to be drawn, in the order of the head's `attachmentBytes`. */
  attachments: readonly Uint8Array[];
}

export interface Answer {
  head: AnswerHead;
  bytes: Buffer;
}

/** One child and the one document that it has in hand. */
export class PdfProcess {
  private readonly child: ChildProcess;
  private readonly channel: Duplex;
  private waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;
  private documents = 0;
  /** Templates that it was sent; it may have forgotten some. */
  private readonly sent = new Set<string>();
  private killedFor: SealingFailure | undefined;
  readonly ended: Promise<void>;
  private over = false;

  private constructor(
    program: string,
    private readonly limits: { memoryMb: number; deadlineMs: number },
  ) {
    const { child, channel } = startBounded(program, limits.memoryMb);
    this.child = child;
    this.channel = channel;
    const reader = new FrameReader((frame) => this.settle(frame));
    channel.on('data', (chunk: Buffer) => {
      if (!reader.push(chunk)) this.kill();
    });
    channel.on('error', () => undefined); // its end is told by the process
    this.ended = Promise.race([once(child, 'exit'), once(child, 'error')]).then(() => this.end(child.signalCode));
  }

  /** Starts a child; resolves when it waits for work. */
  static async start(program: string, limits: { memoryMb: number; deadlineMs: number }): Promise<PdfProcess> {
    const started = new PdfProcess(program, limits);
    const timer = setTimeout(() => started.kill(), START_TIMEOUT_MS);
    try {
      await started.answer();
    } catch {
      throw new SealingFailure('internal', 'The process that reads documents does not start.');
    } finally {
      clearTimeout(timer);
    }
    started.rest();
    return started;
  }

  /** Whether it may take another document. */
  get usable(): boolean {
    return !this.over && this.documents < DOCUMENTS_PER_PROCESS && this.residentShare() < WORN_SHARE;
  }

  /** Gives it a document. One at a time. Throws SealingFailure too_complex when a bound ends the process, and ChildLost. */
  async run(job: Job): Promise<Answer> {
    this.child.ref();
    (this.channel as unknown as { ref(): void }).ref();
    const answer = this.ask(job);
    const deadline = setTimeout(
      () =>
        this.kill(
          new SealingFailure('too_complex', `The document takes longer than ${this.limits.deadlineMs / 1000} s.`),
        ),
      this.limits.deadlineMs,
    );
    const watch = setInterval(() => {
      if (overBound(this.child.pid as number, this.limits.memoryMb)) this.kill(tooMuchMemory());
    }, WATCH_EVERY_MS);
    try {
      return await answer;
    } finally {
      clearTimeout(deadline);
      clearInterval(watch);
      this.rest();
    }
  }

  /** Sends a template's bytes once. */
  private async ask({ head, pdf, attachments }: Job): Promise<Answer> {
    const sha256 = head.job === 'revise' ? head.template.sha256 : undefined;
    if (sha256 !== undefined && this.sent.has(sha256)) {
      const answer = await this.send(head, attachments);
      if (answer.head.answer !== 'unknown') return answer;
    }
    this.documents++;
    if (sha256 !== undefined) this.sent.add(sha256);
    return this.send(head, [...attachments, pdf]);
  }

  private send(head: JobHead, parts: readonly Uint8Array[]): Promise<Answer> {
    const answer = this.answer();
    for (const part of frameOf(head, parts)) if (part.length > 0) this.channel.write(part);
    return answer;
  }

  kill(reason?: SealingFailure): void {
    this.killedFor ??= reason;
    this.child.ref(); // who waits for its end must live to see it
    this.child.kill('SIGKILL');
  }

  /** An idle child keeps nobody alive. */
  private rest(): void {
    this.child.unref();
    (this.channel as unknown as { unref(): void }).unref();
  }

  private residentShare(): number {
    return residentMb(this.child.pid as number) / this.limits.memoryMb;
  }

  private answer(): Promise<Answer> {
    return new Promise((resolve, reject) => (this.waiting = { resolve, reject }));
  }

  private settle(frame: Frame): void {
    const waiting = this.waiting;
    this.waiting = undefined;
    waiting?.resolve({ head: frame.head as AnswerHead, bytes: frame.bytes });
  }

  private end(signal: string | null): void {
    this.over = true;
    this.channel.destroy();
    const waiting = this.waiting;
    this.waiting = undefined;
    waiting?.reject(
      this.killedFor ?? (OUT_OF_MEMORY.includes(signal) ? tooMuchMemory() : new ChildLost(signal !== null)),
    );
  }
}

export const tooMuchMemory = () =>
  new SealingFailure('too_complex', 'The document takes more memory than one document may.');
