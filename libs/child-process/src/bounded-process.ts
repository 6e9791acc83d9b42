import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import type { Duplex } from 'node:stream';
import { processMemory } from './process-memory.ts';
import { reservedDataMb } from './reserved-data.ts';

/** V8's heap may take this share of the bound; the rest is for buffers, which the heap limit does not count. */
const HEAP_SHARE = 0.6;
/** Of V8's nursery: its default lets a parse of many small objects leave some 25 MB of garbage more. */
const SEMI_SPACE_MB = 4;

export interface ProcessBounds {
  /** What the process may hold, V8's heap, buffers and stacks together; the files that it maps do not count. */
  memoryMb: number;
  /** 0 to 19: how far it stands back behind the others on the machine. Default 0. */
  niceness?: number;
  /** All of its environment, beside the size of libuv's pool. */
  env?: Readonly<Record<string, string>>;
  /** False: memory is watched (`overBound`) and not limited, as on systems without RLIMIT_DATA or /bin/sh. Default true. */
  limited?: boolean;
}

/**
 * The command of a Node program whose memory the operating system bounds. On Linux by RLIMIT_DATA: it counts what is private and
 * writable, so an allocation that would break the bound is refused at once (RLIMIT_AS would refuse V8 itself). What Node reserves
 * without use comes on top. The kernel, short of memory, takes this process first. No core dump.
 */
export async function boundedCommand(program: string, { memoryMb, limited = true }: ProcessBounds): Promise<string[]> {
  const heapMb = Math.floor(memoryMb * HEAP_SHARE);
  const flags = [`--max-old-space-size=${heapMb}`, `--max-semi-space-size=${SEMI_SPACE_MB}`, '--v8-pool-size=1'];
  const node = [process.execPath, ...flags, program];
  if (!limited || process.platform !== 'linux' || !fs.existsSync('/bin/sh')) return node;
  return ['/bin/sh', '-c', withLimits(memoryMb + (await reservedDataMb(flags))), ...node];
}

/** Starts it: no environment of ours, no output. Messages pass through descriptor 3. */
export function startBounded(
  command: readonly string[],
  { niceness = 0, env = {} }: ProcessBounds,
): { child: ChildProcess; channel: Duplex } {
  const child = spawn(command[0] as string, command.slice(1), {
    env: { UV_THREADPOOL_SIZE: '1', ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    windowsHide: true,
  });
  // At once, while the process is still the shell: on Linux a thread has the priority of the one that started it.
  if (niceness > 0 && child.pid !== undefined) standBack(child.pid, niceness);
  return { child, channel: child.stdio[3] as Duplex };
}

/** A line for the shell; its arguments are the program that it becomes. */
function withLimits(dataMb: number): string {
  return `echo 1000 2>/dev/null >/proc/self/oom_score_adj; ulimit -c 0; ulimit -d ${dataMb * 1024} && exec "$0" "$@"`;
}

function standBack(pid: number, niceness: number): void {
  try {
    os.setPriority(pid, niceness);
  } catch {
    // It has ended already, which is handled elsewhere.
  }
}

/** MiB that a process holds; 0 where the system does not tell. */
export function heldMb(pid: number): number {
  return processMemory(pid)?.heldMb ?? 0;
}

/** The second line, for what the limit does not count or there is no limit: whether a process holds more than it may. */
export function overBound(pid: number, memoryMb: number): boolean {
  return heldMb(pid) > memoryMb;
}
