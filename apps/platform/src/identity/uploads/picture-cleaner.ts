import { childProgram, ChildLost, FramedChild } from '@constancia/kernel';
import { DependencyUnavailable } from '@constancia/problem-json';
import { type CleaningAnswer, PictureRefused } from './picture-answer.ts';

const PROGRAM = {
  name: 'picture-child',
  entry: 'apps/platform/src/identity/uploads/picture-child.ts',
  sources: ['apps/platform/src/identity/uploads', 'libs/kernel/src'],
  external: [/^sharp$/],
};

/** A picture that was decoded and written anew. */
export interface CleanPicture {
  jpeg: Buffer;
  width: number;
  height: number;
}

export interface PictureCleanerOptions {
  /** Pictures that are decoded at a time, each in a process. */
  processes: number;
  /** Bound of each process's memory, in MiB. A picture of 50 megapixels that cannot be read by rows needs about 400. */
  memoryMb: number;
  /** Longest time for one picture, waiting not counted. */
  deadlineMs: number;
  /** Pictures that may wait for a process, each held in memory; default 16. */
  waiting?: number;
}

const busy = () =>
  new DependencyUnavailable('Too many pictures are being looked at: send it again.', {}, { 'Retry-After': '2' });

/**
 * Decodes pictures from anybody in processes bounded in time and memory: whatever a picture does to its decoder, the calling process
 * goes on. A process that ended is replaced by the next picture's.
 */
export class PictureCleaner {
  private readonly idle: FramedChild[] = [];
  private readonly all = new Set<FramedChild>();
  private readonly line: (() => void)[] = [];
  private running = 0;
  private closed = false;

  constructor(private readonly options: PictureCleanerOptions) {}

  /** Throws PictureRefused (the picture's fault) and DependencyUnavailable (too many at once, or no process starts). */
  async clean(picture: Buffer): Promise<CleanPicture> {
    await this.turn();
    try {
      return await this.cleaned(picture);
    } finally {
      const next = this.line.shift();
      if (next) next();
      else this.running--;
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    const ended = [...this.all].map((child) => child.ended);
    for (const child of this.all) child.kill();
    await Promise.all(ended);
  }

  private async cleaned(picture: Buffer): Promise<CleanPicture> {
    const child = await this.child();
    try {
      const { head, bytes } = await child.ask({ job: 'clean' }, [picture], this.options.deadlineMs);
      this.idle.push(child);
      const answer = head as CleaningAnswer;
      if (answer.answer === 'refused') throw new PictureRefused(answer.refusal);
      return { jpeg: bytes, width: answer.width, height: answer.height };
    } catch (error) {
      if (!(error instanceof ChildLost)) throw error;
      // Out of time or memory, or its decoder broke: that is what such a picture is made for.
      if (error.end !== 'signal') throw new PictureRefused('unreadable');
      throw busy();
    }
  }

  private turn(): Promise<void> {
    if (this.closed) return Promise.reject(busy());
    if (this.running >= this.options.processes) {
      if (this.line.length >= (this.options.waiting ?? 16)) return Promise.reject(busy());
      return new Promise<void>((resolve) => this.line.push(resolve)); // takes over the place of one who is done
    }
    this.running++;
    return Promise.resolve();
  }

  private async child(): Promise<FramedChild> {
    for (let child = this.idle.pop(); child; child = this.idle.pop()) if (child.alive) return child;
    try {
      const bounds = { memoryMb: this.options.memoryMb, niceness: 5 };
      const child = await FramedChild.start(await childProgram(import.meta.url, PROGRAM), bounds);
      this.all.add(child);
      void child.ended.then(() => this.all.delete(child));
      return child;
    } catch (error) {
      if (error instanceof ChildLost) throw busy();
      throw error;
    }
  }
}
