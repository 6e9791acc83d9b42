import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { memoryOf } from './process-memory.ts';
import { WATCH_LIMITS, WATCH_PARENT } from './watch-parent.ts';

const PROBE_TIMEOUT_MS = 30_000;

/** What every child of ours runs before it reads anything: Node, and the thread that watches its parent. */
const PROBE = `
  const { Worker } = require('node:worker_threads');
  const watch = new Worker(${JSON.stringify(WATCH_PARENT)}, { eval: true, resourceLimits: ${JSON.stringify(WATCH_LIMITS)} });
  watch.once('online', () => {
    process.stdout.write(require('node:fs').readFileSync('/proc/self/status', 'latin1'), () => process.exit());
  });
`;

const measured = new Map<string, Promise<number>>();

/**
 * MiB that a Node process reserves as writable data without using them. RLIMIT_DATA counts them, so a limit for what a child uses
 * has to be higher by as much. Node 20 and 22: some 20; Node 24 and newer: 512 more, where V8 keeps its machine code. Asked of
 * the running version itself, with the flags given, once per process.
 */
export function reservedDataMb(flags: readonly string[]): Promise<number> {
  const key = flags.join(' ');
  const known = measured.get(key) ?? measure(flags);
  measured.set(key, known);
  known.catch(() => measured.delete(key));
  return known;
}

async function measure(flags: readonly string[]): Promise<number> {
  const options = { env: { UV_THREADPOOL_SIZE: '1' }, timeout: PROBE_TIMEOUT_MS, killSignal: 'SIGKILL' } as const;
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--eval', PROBE], options);
  const memory = memoryOf(stdout);
  return memory ? Math.ceil(Math.max(0, memory.dataMb - memory.heldMb)) : 0;
}
