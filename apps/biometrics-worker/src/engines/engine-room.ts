import type { EngineFinding, EngineJob } from './engine-job.ts';

/** Where the engines work: in child processes of this machine, or at somebody else's. */
export interface EngineRoom {
  /** Jobs that it takes at a time. */
  readonly places: number;
  /** Gets ready ahead of need. */
  start(): Promise<void>;
  /** Throws ChildLost, ChildNotStarted, and what a service throws that cannot be reached. */
  work(job: EngineJob, pictures: readonly Uint8Array[]): Promise<EngineFinding>;
  close(): Promise<void>;
}
