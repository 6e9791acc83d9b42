import type { ProcessBounds } from './bounded-process.ts';
import { ChildLost, FramedChild } from './framed-child.ts';
import type { Frame } from './frames.ts';

/** Resident memory of its bound at which a child is replaced once it is idle. */
const WORN_SHARE = 0.8;

export interface ChildPoolOptions extends ProcessBounds {
  /** File of the children's program, which calls serveParent. */
  program: () => Promise<string>;
  /** Children at the most; started when first needed. */
  processes: number;
  /** Questions that may wait for a child; beyond: ChildPoolBusy. Default: any number. */
  waiting?: number;
}

/** Too many questions wait already, or the pool is closed: nothing is wrong with this one. */
export class ChildPoolBusy extends Error {
  constructor() {
    super('too many questions wait for a child process');
    this.name = 'ChildPoolBusy';
  }
}

/** No child could be started: nothing is wrong with the question. */
export class ChildNotStarted extends Error {
  constructor() {
    super('no child process starts');
    this.name = 'ChildNotStarted';
  }
}

/**
 * Child processes, each bounded in memory and with one question in hand at a time. A child that dies costs its one question a
 * ChildLost and is replaced by the next question's; one whose memory has grown is replaced before it comes to its bound.
 */
export class ChildPool {
  private readonly idle: FramedChild[] = [];
  private readonly all = new Set<FramedChild>();
  private readonly line: (() => void)[] = [];
  private taken = 0;
  private closed = false;

  constructor(private readonly options: ChildPoolOptions) {}

  /** Questions that are worked on at a time. */
  get places(): number {
    return this.options.processes;
  }

  /** Process ids of the children. */
  get pids(): number[] {
    return [...this.all].map(({ pid }) => pid);
  }

  /** Starts every child ahead of need. Throws ChildNotStarted. */
  async start(): Promise<void> {
    const missing = Math.max(0, this.places - this.all.size);
    this.idle.push(...(await Promise.all(Array.from({ length: missing }, () => this.startOne()))));
  }

  /** Asks a child, when one is free. The deadline counts from then. Throws ChildLost, ChildNotStarted and ChildPoolBusy. */
  async ask(head: unknown, parts: readonly Uint8Array[], deadlineMs: number): Promise<Frame> {
    await this.turn();
    try {
      const child = this.idleChild() ?? (await this.startOne());
      const answer = await child.ask(head, parts, deadlineMs);
      if (child.residentShare < WORN_SHARE) this.idle.push(child);
      else child.kill();
      return answer;
    } finally {
      const next = this.line.shift();
      if (next) next();
      else this.taken--;
    }
  }

  /** Takes no more questions and ends the children; what they have in hand is lost. */
  async close(): Promise<void> {
    this.closed = true;
    const ended = [...this.all].map((child) => child.ended);
    for (const child of this.all) child.kill();
    await Promise.all(ended);
  }

  /** A free place, or that of somebody who is done. */
  private turn(): Promise<void> {
    if (this.closed) return Promise.reject(new ChildPoolBusy());
    if (this.taken < this.places) {
      this.taken++;
      return Promise.resolve();
    }
    if (this.line.length >= (this.options.waiting ?? Infinity)) return Promise.reject(new ChildPoolBusy());
    return new Promise((resolve) => this.line.push(resolve));
  }

  private idleChild(): FramedChild | undefined {
    for (let child = this.idle.pop(); child; child = this.idle.pop()) if (child.alive) return child;
    return undefined;
  }

  private async startOne(): Promise<FramedChild> {
    if (this.closed) throw new ChildNotStarted();
    const child = await FramedChild.start(await this.options.program(), this.options).catch((error: unknown) => {
      throw error instanceof ChildLost ? new ChildNotStarted() : error;
    });
    this.all.add(child);
    void child.ended.then(() => this.all.delete(child));
    if (this.closed) child.kill();
    return child;
  }
}
