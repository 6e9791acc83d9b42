import type { ProcessBounds } from './bounded-process.ts';
import { ChildLost, FramedChild } from './framed-child.ts';
import type { Frame } from './frames.ts';

/** Share of its bound of memory at which a child is replaced once it is idle, if nothing else is said. */
const WORN_SHARE = 0.8;

export interface ChildPoolOptions extends ProcessBounds {
  /** File of the children's program, which calls serveParent. */
  program: () => Promise<string>;
  /** Children at most; started when first needed. */
  processes: number;
  /** Questions that may wait for a child; beyond: ChildPoolBusy. Default: any number. */
  waiting?: number;
  /** Share of its bound of memory at which a child is replaced once it is idle. Default 0.8. */
  wornShare?: number;
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
 * Child processes, each bounded in memory and with one question in progress at a time. A child that dies costs its one question a
 * ChildLost and is replaced by the next question's; one whose memory has grown is replaced before it comes to its bound.
 */
export class ChildPool {
  private readonly idle: FramedChild[] = [];
  private readonly all = new Set<FramedChild>();
  private readonly line: { go: () => void; refuse: (error: Error) => void }[] = [];
  private taken = 0;
  private closed = false;
  private drained: (() => void) | undefined;

  constructor(private readonly options: ChildPoolOptions) {}

  /** Questions that are worked on at a time. */
  get places(): number {
    return this.options.processes;
  }

  /** Process ids of the children. */
  get pids(): number[] {
    return [...this.all].map(({ pid }) => pid);
  }

  /** Starts every child ahead of need, each in a place of its own. Throws ChildNotStarted. */
  async start(): Promise<void> {
    const missing = Math.max(0, this.places - this.taken - this.idle.length);
    await Promise.all(
      Array.from({ length: missing }, () => this.inPlace(async () => this.idle.push(await this.startOne()))),
    );
  }

  /** Asks a child, when one is free. The deadline counts from then. Throws ChildLost, ChildNotStarted and ChildPoolBusy. */
  ask(head: unknown, parts: readonly Uint8Array[], deadlineMs: number): Promise<Frame> {
    return this.use((child) => child.ask(head, parts, deadlineMs));
  }

  /** Works with a child, when one is free; nobody else does meanwhile. Throws as `ask`, and as `work` does. */
  use<T>(work: (child: FramedChild) => Promise<T>): Promise<T> {
    return this.inPlace(async () => {
      const child = this.idleChild() ?? (await this.startOne());
      try {
        return await work(child);
      } finally {
        if (child.alive) this.putBack(child);
      }
    });
  }

  /** Takes no more questions, refuses those that wait, and ends the children; what they have in progress is lost. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { refuse } of this.line.splice(0)) refuse(new ChildPoolBusy());
    const ended = [...this.all].map((child) => child.ended);
    for (const child of this.all) child.kill();
    await Promise.all(ended);
  }

  /** As `close`, after the children have answered what they have in progress. */
  async drain(): Promise<void> {
    this.closed = true;
    for (const { refuse } of this.line.splice(0)) refuse(new ChildPoolBusy());
    if (this.taken > 0) await new Promise<void>((resolve) => (this.drained = resolve));
    await this.close();
  }

  private async inPlace<T>(work: () => Promise<T>): Promise<T> {
    await this.turn();
    try {
      return await work();
    } finally {
      const next = this.line.shift();
      if (next) next.go();
      else this.taken--;
      if (this.taken === 0) this.drained?.();
    }
  }

  /** A free place, or that of somebody who is done. */
  private turn(): Promise<void> {
    if (this.closed) return Promise.reject(new ChildPoolBusy());
    if (this.taken < this.places) {
      this.taken++;
      return Promise.resolve();
    }
    if (this.line.length >= (this.options.waiting ?? Infinity)) return Promise.reject(new ChildPoolBusy());
    return new Promise((go, refuse) => this.line.push({ go, refuse }));
  }

  private putBack(child: FramedChild): void {
    if (child.heldShare < (this.options.wornShare ?? WORN_SHARE)) this.idle.push(child);
    else child.kill();
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
