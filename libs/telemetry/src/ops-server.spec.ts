import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Metrics, failedChecks, opsServer, type OpsServer, type ReadinessChecks } from './index.ts';

let server: OpsServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function started(readiness: ReadinessChecks = {}) {
  const metrics = new Metrics({ app: 'spec' });
  server = await opsServer({ port: 0, readiness, metrics });
  const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server?.port}${path}`, init);
  return { metrics, get };
}

describe('the ops server', () => {
  it('shows the metrics of the process', async () => {
    const { metrics, get } = await started();
    metrics.counter('things_total', 'Things', ['kind']).inc({ kind: 'a' });
    expect(metrics.counter('things_total', 'Things', ['kind'])).toBe(metrics.counter('things_total', 'Things'));
    metrics.gauge('depth', 'Depth', [], (gauge) => gauge.set(7));
    const response = await get('/metrics');
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    const text = await response.text();
    expect(text).toContain('things_total{kind="a",app="spec"} 1');
    expect(text).toContain('depth{app="spec"} 7');
  });

  it('shows what it can when a figure cannot be collected, and counts that', async () => {
    const { metrics, get } = await started();
    let away = false;
    metrics.gauge('depth', 'Depth', [], (gauge) => (away ? Promise.reject(new Error('away')) : gauge.set(7)));
    metrics.gauge('lag', 'Lag', ['queue'], (gauge) =>
      away ? Promise.reject(new Error('away')) : gauge.set({ queue: 'q' }, 1),
    );
    const text = async () => (await get('/metrics')).text();
    expect(await text()).toContain('depth{app="spec"} 7');
    away = true;
    await text();
    const later = await text();
    expect(later).not.toMatch(/^(depth|lag)\{/m);
    expect(later).toMatch(/^metric_failures_total\{metric="depth",app="spec"\} [12]$/m);
    away = false;
    expect(await text()).toContain('lag{queue="q",app="spec"} 1');
  });

  it('is alive whatever is unavailable, and ready only with everything', async () => {
    let queueAway = true;
    const queue = () => (queueAway ? Promise.reject(new Error('away')) : Promise.resolve());
    const { get } = await started({ database: () => Promise.resolve(), queue });
    expect((await get('/livez')).status).toBe(200);
    const unready = await get('/readyz');
    expect(unready.status).toBe(503);
    expect(await unready.json()).toEqual({ status: 'unavailable', failed: ['queue'] });
    queueAway = false;
    expect((await get('/readyz')).status).toBe(200);
  });

  it('is not ready while it drains', async () => {
    const { get } = await started();
    server?.draining();
    expect((await get('/readyz')).status).toBe(503);
    expect((await get('/livez')).status).toBe(200);
  });

  it('outlives a request for no address', async () => {
    await started();
    const port = server?.port as number;
    const answer = await new Promise<string>((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => socket.write('GET // HTTP/1.1\r\nHost: x\r\n\r\n'));
      socket.once('data', (data) => resolve(data.toString()));
      socket.once('data', () => socket.destroy());
    });
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
  });

  it('has nothing else', async () => {
    const { get } = await started();
    expect((await get('/v1/things')).status).toBe(404);
    expect((await get('/metrics', { method: 'POST' })).status).toBe(405);
  });
});

describe('readiness', () => {
  it('gives up on a check that hangs, and on one that throws at once', async () => {
    const hangs = () => new Promise<void>(() => {});
    const throws = () => {
      throw new Error('at once');
    };
    expect(await failedChecks({ hangs, fine: () => Promise.resolve(), throws }, 30)).toEqual(['hangs', 'throws']);
  });
});

describe('the page of operators', () => {
  const token = 'x'.repeat(32);

  it('is served without the token, from its own files alone, and only where there are operators', async () => {
    const page = fs.mkdtempSync(path.join(os.tmpdir(), 'ops-page-'));
    fs.writeFileSync(path.join(page, 'index.html'), '<!doctype html><title>Ops</title>');
    const options = { port: 0, readiness: {}, metrics: new Metrics({ app: 'spec' }), page };
    server = await opsServer({ ...options, token });
    const get = (name: string) => fetch(`http://127.0.0.1:${server?.port}${name}`);
    const shown = await get('/ops/page');
    expect([shown.status, shown.url, await shown.text()]).toMatchObject([
      200,
      expect.stringMatching(/\/ops\/page\/$/),
      expect.stringContaining('Ops'),
    ]);
    expect(shown.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    for (const name of ['/ops/page/other.js', '/ops/page/../../etc/passwd', '/ops/page/..%2fetc']) {
      expect((await get(name)).status).toBe(404);
    }
    await server.close();
    server = await opsServer(options);
    expect((await get('/ops/page/')).status).toBe(404);
    fs.rmSync(page, { recursive: true });
  });
});
