import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { PeriodicTask } from '@constancia/kernel';
import { boundedCommand, heldMb, overBound, startBounded } from './bounded-process.ts';
import type { ProcessBounds } from './bounded-process.ts';
import { FrameReader, frameOf } from './frames.ts';
import type { Frame } from './frames.ts';

const START_TIMEOUT_MS = 30_000;
const WATCH_EVERY_MS = 20;

/** V8 out of memory, or an allocation that the operating system refused. */
const OUT_OF_MEMORY: readonly (string | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL'];

/**
 * How a child ended: a bound of time or memory, a signal from elsewhere (somebody's kill, the machine's memory), or by itself. The
 * last two may have nothing to do with what it had in progress.
 */
export type ChildEnd = 'deadline' | 'memory' | 'signal' | 'exit';

/** A child ended with a question in progress. */
export class ChildLost extends Error {
  constructor(readonly end: ChildEnd) {
    super(`the child process ended: ${end}`);
    this.name = 'ChildLost';
  }
}

/** One child process, bounded in time and memory, and the one question that it has in progress. Its program calls serveParent. */
export class FramedChild {
  private readonly child: ChildProcess;
  private readonly channel: Duplex;
  private waiting: { resolve: (answer: Frame) => void; reject: (error: Error) => void } | undefined;
  private killedFor: ChildEnd | undefined;
  private killed = false;
  private over = false;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;

  private constructor(
    command: readonly string[],
    private readonly bounds: ProcessBounds,
  ) {
    const { child, channel } = startBounded(command, bounds);
    this.child = child;
    this.channel = channel;
    const reader = new FrameReader((frame) => this.settle(frame));
    channel.on('data', (chunk: Buffer) => {
      if (!reader.push(chunk)) this.kill();
    });
    channel.on('error', () => undefined); // the exit of the process reports it
    this.ended = Promise.race([once(child, 'exit'), once(child, 'error')]).then(() => this.end(child.signalCode));
  }

  /** Starts a child; resolves when it has sent its first message. Throws ChildLost. */
  static async start(program: string, bounds: ProcessBounds, timeoutMs = START_TIMEOUT_MS): Promise<FramedChild> {
    const command = await boundedCommand(program, bounds).catch(() => {
      throw new ChildLost('exit');
    });
    const started = new FramedChild(command, bounds);
    const timer = setTimeout(() => started.kill('deadline'), timeoutMs);
    try {
      await started.answer();
    } finally {
      clearTimeout(timer);
    }
    started.rest();
    return started;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** Whether it can be asked. */
  get alive(): boolean {
    return !this.over && !this.killed;
  }

  /** What it holds as a share of its bound. */
  get heldShare(): number {
    return heldMb(this.pid) / this.bounds.memoryMb;
  }

  /** Asks one question, and waits for its answer. One at a time. Throws ChildLost. */
  async ask(head: unknown, parts: readonly Uint8Array[], deadlineMs: number): Promise<Frame> {
    if (!this.alive) throw new ChildLost(this.killedFor ?? 'exit');
    this.child.ref();
    (this.channel as unknown as { ref(): void }).ref();
    const answer = this.answer();
    for (const part of frameOf(head, parts)) if (part.length > 0) this.channel.write(part);
    const deadline = setTimeout(() => this.kill('deadline'), deadlineMs);
    const watch = this.memoryWatch();
    watch.start();
    try {
      return await answer;
    } finally {
      clearTimeout(deadline);
      await watch.close();
      this.rest();
    }
  }

  kill(reason?: ChildEnd): void {
    this.killed = true;
    this.killedFor ??= reason;
    this.child.ref(); // who waits for its end must live to see it
    this.child.kill('SIGKILL');
  }

  private memoryWatch(): PeriodicTask {
    const run = async () => {
      if (overBound(this.pid, this.bounds.memoryMb)) this.kill('memory');
    };
    return new PeriodicTask({ name: 'child-memory', everyMs: WATCH_EVERY_MS, run, measured: false });
  }

  /** An idle child keeps nobody alive. */
  private rest(): void {
    this.child.unref();
    (this.channel as unknown as { unref(): void }).unref();
  }

  private answer(): Promise<Frame> {
    return new Promise((resolve, reject) => (this.waiting = { resolve, reject }));
  }

  private settle(frame: Frame): void {
    const waiting = this.waiting;
    this.waiting = undefined;
    waiting?.resolve(frame);
  }

  private end(signal: string | null): void {
    this.over = true;
    this.channel.destroy();
    const waiting = this.waiting;
    this.waiting = undefined;
    const own = OUT_OF_MEMORY.includes(signal) ? 'memory' : signal === null ? 'exit' : 'signal';
    waiting?.reject(new ChildLost(this.killedFor ?? own));
  }
}
