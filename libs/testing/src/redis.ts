import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { freePort } from './cluster.ts';

/** Whether redis-server is on the PATH. */
export const redisInstalled = spawnSync('redis-server', ['--version']).status === 0;

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

/** Starts a Redis server of one's own on loopback, without persistence. */
export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const redis: TestRedis = {
    url: `redis://127.0.0.1:${port}`,
    port,
    async start() {
      child = spawn(
        'redis-server',
        [
          '--port',
          String(port),
          '--bind',
          '127.0.0.1',
          '--save',
          '',
          '--appendonly',
          'no',
          '--maxmemory-policy',
          'noeviction',
        ],
        { stdio: 'ignore' },
      );
      for (let attempt = 0; attempt < 200 && !(await answers(port)); attempt++) {
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
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

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
