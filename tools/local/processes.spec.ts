import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { end, freePort, gone, holderOf, identityOf, isFree, listensItself, lives, signal } from './processes.mjs';

function sleeper(script = 'setInterval(() => {}, 1000)') {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function listener(): Promise<number> {
  const server = net.createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as net.AddressInfo).port;
}

describe('a recorded process', () => {
  it('lives until it ends', async () => {
    const identity = identityOf(sleeper().pid as number);
    expect(lives(identity)).toBe(true);
    await end(identity, { patienceMs: 2_000 });
    expect(lives(identity)).toBe(false);
  });

  it('is not a stranger that has its pid now', async () => {
    const child = sleeper();
    const stranger = { pid: child.pid as number, started: 'another time' };
    expect(lives(stranger)).toBe(false);
    signal(stranger, 'SIGKILL');
    expect(await gone(identityOf(child.pid as number), 100)).toBe(false);
  });

  it('is killed when it does not end after being asked', async () => {
    const child = sleeper("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('deaf')");
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const identity = identityOf(child.pid as number);
    await end(identity, { patienceMs: 100 });
    expect(lives(identity)).toBe(false);
  });

  it('that never was does not live', () => {
    expect(lives(null)).toBe(false);
    expect(lives(identityOf(0))).toBe(false);
  });
});

describe('a port', () => {
  it('is free or taken', async () => {
    const port = await listener();
    expect(await isFree(port)).toBe(false);
    expect(await freePort(port)).not.toBe(port);
  });

  it.runIf(fs.existsSync('/proc/net/tcp'))('has a holder with a name', async () => {
    const port = await listener();
    expect(listensItself(process.pid, port)).toBe(true);
    expect(listensItself(sleeper().pid as number, port)).toBe(false);
    expect(holderOf(port)).toMatch(new RegExp(`^ by process ${process.pid} \\(`));
  });
});
