import { Worker } from 'node:worker_threads';

/** Runs in a thread of its own, since the main thread may be computing. */
export const WATCH_PARENT = `
  const parent = process.ppid;
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 1000);
`;

/** Ends this process within about a second when the one that started it is gone: a killed parent cannot end a child that computes. */
export function watchParent(): void {
  new Worker(WATCH_PARENT, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8, stackSizeMb: 1 } }).unref();
}
