import fs from 'node:fs';
import { PeriodicTask } from '@constancia/kernel';

function residentBytes(pid: number): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}

/** Runs work; answers what it answers, and the most bytes that a process held meanwhile beyond what it held before. */
export async function extraBytesOf<T>(pid: number, work: () => Promise<T>): Promise<{ result: T; extraBytes: number }> {
  const rest = residentBytes(pid);
  let peak = rest;
  const run = async () => void (peak = Math.max(peak, residentBytes(pid)));
  const watch = new PeriodicTask({ name: 'resident-bytes', everyMs: 20, run });
  watch.start();
  const result = await work();
  await watch.close();
  return { result, extraBytes: peak - rest };
}
