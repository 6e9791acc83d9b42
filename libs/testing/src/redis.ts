import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './cluster.ts';

/** Whether redis-server is on the PATH. */
export const redisInstalled = spawnSync('redis-server', ['--version']).status === 0;
export const NO_REDIS = 'skipped: redis-server is not on PATH';

export interface TestRedis {
  url: string;
  port: number;
  /** kill -9, data gone. */
  kill(): Promise<void>;
  /** A fresh, empty server on the same port. */
  start(): Promise<void>;
  /** SIGSTOP: it keeps its connections and answers nothing. SIGCONT lets it go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
}

const WITHOUT_PERSISTENCE = ['--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'];

/** Starts a Redis server on a free port of loopback, without persistence. */
export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const redis: TestRedis = {
    url: `redis://127.0.0.1:${port}`,
    port,
    async start() {
      child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', ...WITHOUT_PERSISTENCE]);
      await ready(child, port);
    },
    signal: (name) => void child?.kill(name),
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
  await redis.start();
  return redis;
}

function ready(child: ChildProcess, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => text.includes('Ready to accept connections') && resolve());
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`redis-server did not start on port ${port}`)));
  });
}
