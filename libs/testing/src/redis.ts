import { type ChildProcess, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { freePort } from './cluster.ts';
import { ServerProcess } from './server-process.ts';
import { testFolder } from './test-folders.ts';

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

/** Starts a Redis server on a free port of loopback, without persistence. */
export async function startRedis({ password }: { password?: string } = {}): Promise<TestRedis> {
  const port = await freePort();
  const folder = testFolder();
  const node = new RedisNode(folder, port, password === undefined ? {} : { requirepass: password });
  const redis: TestRedis = {
    url: `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`,
    port,
    start: () => node.start(),
    signal: (name) => node.signal(name),
    async kill() {
      await node.end('SIGKILL');
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
  await redis.start();
  return redis;
}

/** A redis-server process on a port of loopback, without persistence. */
export class RedisNode extends ServerProcess {
  constructor(
    private readonly home: string,
    readonly port: number,
    private readonly settings: Readonly<Record<string, string | number>> = {},
  ) {
    super('redis-server', home, `redis-${port}`);
  }

  override async start(): Promise<void> {
    fs.mkdirSync(this.home, { recursive: true });
    const settings = {
      port: this.port,
      bind: '127.0.0.1',
      save: '',
      appendonly: 'no',
      'maxmemory-policy': 'noeviction',
      ...this.settings,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    await super.start(args, (child) => ready(child, this.port));
  }
}

function ready(child: ChildProcess, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => text.includes('Ready to accept connections') && resolve());
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`redis-server did not start on port ${port}`)));
  });
}
