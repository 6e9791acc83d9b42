import { ChildLost, ChildNotStarted, ChildPool, ChildPoolBusy, childProgram } from '@constancia/child-process';
import { DependencyUnavailable } from '@constancia/problem-json';
import { type CleaningAnswer, type CleaningJob, PictureRefused } from './picture-answer.ts';

/** A picture that was decoded and encoded again. */
export interface CleanPicture {
  jpeg: Buffer;
  width: number;
  height: number;
}

/** A logo that was decoded and encoded again. */
export interface CleanLogo {
  png: Buffer;
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

/** Behind what answers requests. */
const NICENESS = 5;

/**
 * Decodes pictures from anybody in processes bounded in time and memory: whatever a picture does to its decoder, the calling process
 * goes on.
 */
export class PictureCleaner {
  private readonly children: ChildPool;
  private readonly deadlineMs: number;

  constructor({ processes, memoryMb, deadlineMs, waiting = 16 }: PictureCleanerOptions) {
    this.deadlineMs = deadlineMs;
    this.children = new ChildPool({
      program: () => childProgram(import.meta.url, 'picture-child'),
      processes,
      memoryMb,
      waiting,
      niceness: NICENESS,
    });
  }

  /** Throws PictureRefused (the picture's fault) and DependencyUnavailable (too many at once, or no process starts). */
  async clean(picture: Buffer): Promise<CleanPicture> {
    const { bytes: jpeg, width, height } = await this.ask('clean', picture);
    return { jpeg, width, height };
  }

  /** A picture of a face for a wallet, small. Throws as `clean` does. */
  async face(picture: Buffer): Promise<Buffer> {
    return (await this.ask('face', picture)).bytes;
  }

  /** A logo, small and of few colours. Throws as `clean` does. */
  async logo(picture: Buffer): Promise<CleanLogo> {
    const { bytes: png, width, height } = await this.ask('logo', picture);
    return { png, width, height };
  }

  private async ask(
    job: CleaningJob['job'],
    picture: Buffer,
  ): Promise<{ bytes: Buffer; width: number; height: number }> {
    const { head, bytes } = await this.children.ask({ job }, [picture], this.deadlineMs).catch(throwAsProblem);
    const answer = head as CleaningAnswer;
    if (answer.answer === 'refused') throw new PictureRefused(answer.refusal);
    return { bytes, width: answer.width, height: answer.height };
  }

  close(): Promise<void> {
    return this.children.close();
  }
}

function throwAsProblem(error: unknown): never {
  if (error instanceof ChildPoolBusy || error instanceof ChildNotStarted) throw busy();
  if (!(error instanceof ChildLost)) throw error;
  // Out of time or memory, or its decoder broke: that is what such a picture is made for.
  if (error.end !== 'signal') throw new PictureRefused('unreadable');
  throw busy();
}
