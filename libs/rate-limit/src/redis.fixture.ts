import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** Whether this machine has a Redis to test with. */
export const redisInstalled = spawnSync('redis-server', ['--version']).status === 0;
export const NO_REDIS = 'skipped: redis-server is not on PATH';

export interface RedisServer {
  url: string;
  port: number;
  /** SIGSTOP: connections stay open, nothing answers. */
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
}

/** Starts a Redis without persistence on loopback; on a free port unless one is given. */
export async function startRedis(port?: number): Promise<RedisServer> {
  const chosen = port ?? (await freePort());
  const dir = mkdtempSync(path.join(os.tmpdir(), 'rate-redis-'));
  const child = spawn('redis-server', [
    ...['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir],
  ]);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => text.includes('Ready to accept connections') && resolve());
    child.once('exit', () => reject(new Error(`redis-server did not start on port ${chosen}`)));
  });
  return {
    url: `redis://127.0.0.1:${chosen}`,
    port: chosen,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async kill() {
      child.kill('SIGKILL');
      await exited;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
