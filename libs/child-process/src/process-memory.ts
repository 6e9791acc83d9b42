import fs from 'node:fs';

/** Memory of a process, in MiB. */
export interface ProcessMemory {
  /** What it alone holds: touched heap, buffers, stacks, shared memory, and what of that is swapped out. No files, no reservations. */
  heldMb: number;
  /** What RLIMIT_DATA counts: everything that is private and writable, touched or not. */
  dataMb: number;
}

/** What /proc/<pid>/status says of memory; undefined where the system does not tell, or the process has ended. */
export function processMemory(pid: number | 'self'): ProcessMemory | undefined {
  try {
    return memoryOf(fs.readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return undefined;
  }
}

/** Reads the text of /proc/<pid>/status. A process that is ending has no memory lines: undefined. */
export function memoryOf(status: string): ProcessMemory | undefined {
  const mb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? NaN) / 1024;
  const heldMb = mb('RssAnon') + mb('RssShmem') + mb('VmSwap');
  const dataMb = mb('VmData');
  return Number.isNaN(heldMb + dataMb) ? undefined : { heldMb, dataMb };
}
