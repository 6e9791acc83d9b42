import os from 'node:os';
import { ChildPool, childProgram } from '@constancia/child-process';
import type { EngineFinding, EngineJob } from './engine-job.ts';
import type { EnginePool } from './engine-pool.ts';

/** Behind what answers requests: a caller that waits for a picture waits for a second anyway. */
const NICENESS = 10;
/** A child may exceed a job's deadline by the stage that is running. */
const GRACE_MS = 1_000;

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
export class ChildEngines implements EnginePool {
  private readonly children: ChildPool;

  constructor({ processes, memoryMb, program }: ChildEnginesOptions) {
    this.children = new ChildPool({
      program: () => (program === undefined ? childProgram(import.meta.url, 'engine-child') : Promise.resolve(program)),
      processes,
      memoryMb,
      niceness: NICENESS,
      env: { VIPS_CONCURRENCY: '1' },
    });
  }

  get concurrency(): number {
    return this.children.places;
  }

  /** Process ids of the children. */
  get pids(): number[] {
    return this.children.pids;
  }

  start(): Promise<void> {
    return this.children.start();
  }

  async work(job: EngineJob, pictures: readonly Uint8Array[]): Promise<EngineFinding> {
    const head = { ...job, sizes: pictures.map(({ length }) => length) };
    const { head: finding } = await this.children.ask(head, pictures, job.deadlineMs + GRACE_MS);
    return finding as EngineFinding;
  }

  close(): Promise<void> {
    return this.children.close();
  }
}
