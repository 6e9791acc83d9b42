import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@constancia/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '@constancia/bundling';

let folder: string;
let child: ChildProcess | undefined;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'serve-'));
  await bundle({ entries: { main: path.join(import.meta.dirname, 'serve.fixture.ts') }, outDir: folder });
});
afterEach(() => {
  child?.kill('SIGKILL');
  child = undefined;
});
afterAll(() => rmSync(folder, { recursive: true }));

async function serving(drainSeconds: number, more: Record<string, string> = {}) {
  const [port, opsPort] = [await freePort(), await freePort()];
  const ports = { PORT: String(port), OPS_PORT: String(opsPort) };
  const env = { ...process.env, ...ports, DRAIN_SECONDS: String(drainSeconds), ...more };
  const started = fork(path.join(folder, 'main.js'), [], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child = started;
  await once(started, 'message');
  const exited = once(started, 'exit').then(([code, signal]) => ({ code: code as number, signal: signal as string }));
  return { started, port, opsPort, exited };
}

function get(port: number, url: string, agent: http.Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path: url, agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject);
  });
}

describe('a served process', () => {
  it('on SIGTERM says that it is not ready, answers all that comes while it drains, and exits 0', async () => {
    const { started, port, opsPort, exited } = await serving(3);
    expect((await fetch(`http://127.0.0.1:${opsPort}/readyz`)).status).toBe(200);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
    const failures: unknown[] = [];
    let answered = 0;
    let sending = true;
    const clients = Array.from({ length: 16 }, async (_, index) => {
      while (sending) {
        try {
          const status = await get(port, index % 4 === 0 ? '/open/slow' : '/open/ip', agent);
          if (status === 200) answered++;
          else failures.push(status);
        } catch (error) {
          failures.push(error);
        }
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    started.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await fetch(`http://127.0.0.1:${opsPort}/readyz`)).status).toBe(503);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(503);
    await new Promise((resolve) => setTimeout(resolve, 400));
    sending = false; // the load balancer has looked away
    await Promise.all(clients);
    expect(await exited).toEqual({ code: 0, signal: null });
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(100);
    agent.destroy();
  });

  it('exits 1 when a component cannot be closed', async () => {
    const { started, exited } = await serving(0, { FAILING_CLOSE: 'yes' });
    started.kill('SIGTERM');
    expect(await exited).toEqual({ code: 1, signal: null });
  });

  it('answers what is under way before it goes', async () => {
    const { started, port, exited } = await serving(0);
    const answer = get(port, '/open/slow', new http.Agent());
    await new Promise((resolve) => setTimeout(resolve, 400));
    started.kill('SIGINT');
    expect(await answer).toBe(200);
    expect(await exited).toEqual({ code: 0, signal: null });
  });

  it('shows its metrics on the ops port only', async () => {
    const { port, opsPort } = await serving(0);
    await fetch(`http://127.0.0.1:${port}/open/ip`);
    const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
    expect(metrics).toMatch(/http_request_duration_seconds_count{.*route="\/open\/ip"/);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404);
  });
});
