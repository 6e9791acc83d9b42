import os from 'node:os';
import { ChildLost, FramedChild } from '@constancia/kernel';
import { engineChildProgram } from './engine-child-program.ts';
import type { EngineFinding, EngineJob } from './engine-job.ts';
import type { EngineRoom } from './engine-room.ts';

/** Behind what answers requests: whoever waits for a picture waits for a second anyway. */
const NICENESS = 10;
/** A child may exceed a job's deadline by the stage that is running. */
const GRACE_MS = 1_000;
/** Resident memory of its bound at which a child is replaced once it is idle. */
const WORN_SHARE = 0.8;

export interface ChildEnginesOptions {
  processes: number;
  memoryMb: number;
  /** The child's program; default: engine-child.js beside the running bundle. */
  program?: string;
}

/** One less than there are cores, so that one is left for the rest. */
export const processesOfThisMachine = () => Math.max(1, os.availableParallelism() - 1);

/**
 * The engines of this machine, each in a child process: bounded in memory and time, at lower priority. A child that dies costs its
 * one job an error and is replaced.
 */
export class ChildEngines implements EngineRoom {
  private readonly idle: FramedChild[] = [];
  private readonly all = new Set<FramedChild>();
  private readonly waiting: (() => void)[] = [];
  private taken = 0;

  constructor(private readonly options: ChildEnginesOptions) {}

  get places(): number {
    return this.options.processes;
  }

  /** Process ids of the children. */
  get pids(): number[] {
    return [...this.all].map(({ pid }) => pid);
  }

  async start(): Promise<void> {
    const missing = this.places - this.all.size;
    this.idle.push(...(await Promise.all(Array.from({ length: Math.max(0, missing) }, () => this.startOne()))));
  }

  async work(job: EngineJob, pictures: readonly Uint8Array[]): Promise<EngineFinding> {
    await this.place();
    try {
      const child = this.idleChild() ?? (await this.startOne());
      const head = { ...job, sizes: pictures.map(({ length }) => length) };
      const { head: answer } = await child.ask(head, pictures, job.deadlineMs + GRACE_MS);
      if (child.residentShare < WORN_SHARE) this.idle.push(child);
      else child.kill();
      return answer as EngineFinding;
    } finally {
      this.taken--;
      this.waiting.shift()?.();
    }
  }

  async close(): Promise<void> {
    const ended = [...this.all].map((child) => child.ended);
    for (const child of this.all) child.kill();
    await Promise.all(ended);
  }

  private async place(): Promise<void> {
    while (this.taken >= this.places) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.taken++;
  }

  private idleChild(): FramedChild | undefined {
    for (let child = this.idle.pop(); child; child = this.idle.pop()) if (child.alive) return child;
    return undefined;
  }

  private async startOne(): Promise<FramedChild> {
    const { memoryMb } = this.options;
    const program = this.options.program ?? (await engineChildProgram());
    const bounds = { memoryMb, niceness: NICENESS, env: { VIPS_CONCURRENCY: '1' } };
    const child = await FramedChild.start(program, bounds);
    if (!child.alive) throw new ChildLost('exit');
    this.all.add(child);
    void child.ended.then(() => this.all.delete(child));
    return child;
  }
}
