import { Worker } from 'node:worker_threads';

/** Runs in a thread of its own, since the main thread may be computing. */
export const WATCH_PARENT = `
  const parent = process.ppid;
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 1000);
`;

/** As little as V8 takes. Left alone, Node 24 and newer reserve 512 MB of address space for the code of each thread. */
export const WATCH_LIMITS = { maxOldGenerationSizeMb: 8, codeRangeSizeMb: 4, stackSizeMb: 1 };

/** Ends this process within about a second when the one that started it is gone: a killed parent cannot end a child that computes. */
export function watchParent(): void {
  new Worker(WATCH_PARENT, { eval: true, resourceLimits: WATCH_LIMITS }).unref();
}
