import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import type { Duplex } from 'node:stream';

/** V8's heap may take this share of the bound; the rest is for buffers, which the heap limit does not count. */
const HEAP_SHARE = 0.6;
/** Of V8's nursery: its default lets a parse of many small objects leave some 25 MB of garbage more. */
const SEMI_SPACE_MB = 4;
/** The program's own pages (shared with the parent's file cache) count as resident, not as its data. */
const PROGRAM_MB = 96;
const PAGE_BYTES = 4_096;

export interface ProcessBounds {
  memoryMb: number;
  /** 0 to 19: how far it stands back behind the others on the machine. Default 0. */
  niceness?: number;
  /** All of its environment, beside the size of libuv's pool. */
  env?: Readonly<Record<string, string>>;
}

/**
 * Starts a Node program whose memory the operating system bounds. On Linux RLIMIT_DATA: it counts what is writable, so V8's
 * large reservations of address space pass (RLIMIT_AS would refuse them) and a buffer that would break the bound is refused
 * at once. No environment of ours, no core dump, no output. Messages pass through descriptor 3.
 */
export function startBounded(program: string, bounds: ProcessBounds): { child: ChildProcess; channel: Duplex } {
  const { memoryMb, niceness = 0, env = {} } = bounds;
  const heapMb = Math.floor(memoryMb * HEAP_SHARE);
  const flags = [`--max-old-space-size=${heapMb}`, `--max-semi-space-size=${SEMI_SPACE_MB}`, '--v8-pool-size=1'];
  const node = [process.execPath, ...flags, program];
  const limited = process.platform === 'linux' && fs.existsSync('/bin/sh');
  const command = limited
    ? ['/bin/sh', '-c', `ulimit -c 0; ulimit -d ${memoryMb * 1024} && exec "$0" "$@"`, ...node]
    : node;
  const child = spawn(command[0] as string, command.slice(1), {
    env: { UV_THREADPOOL_SIZE: '1', ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    windowsHide: true,
  });
  // At once, while the process is still the shell: on Linux a thread has the priority of the one that started it.
  if (niceness > 0 && child.pid !== undefined) standBack(child.pid, niceness);
  return { child, channel: child.stdio[3] as Duplex };
}

function standBack(pid: number, niceness: number): void {
  try {
    os.setPriority(pid, niceness);
  } catch {
    // It has ended already, which is told elsewhere.
  }
}

/** Resident memory of a process in MiB; 0 where the system does not tell. */
export function residentMb(pid: number): number {
  try {
    const pages = Number(fs.readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]);
    return (pages * PAGE_BYTES) / 1024 / 1024;
  } catch {
    return 0;
  }
}

/** The second line, for buffers that a limit did not refuse: whether a process holds more than it may. */
export function overBound(pid: number, memoryMb: number): boolean {
  return residentMb(pid) > memoryMb + PROGRAM_MB;
}
