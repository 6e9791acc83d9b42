import type { EngineFinding, EngineJob } from './engine-job.ts';

/** Where the engines work: in child processes of this machine, or at somebody else's. */
export abstract class EnginePool {
  /** Jobs that it takes at a time. */
  abstract readonly concurrency: number;
  /** Gets ready ahead of need. */
  abstract start(): Promise<void>;
  /** Throws ChildLost, ChildNotStarted, and what a service throws that cannot be reached. */
  abstract work(job: EngineJob, pictures: readonly Uint8Array[]): Promise<EngineFinding>;
  abstract close(): Promise<void>;
}
