import { afterEach, describe, expect, it } from 'vitest';
import { Metrics, failedChecks, type OpsAction, opsServer, type OpsServer, type ReadinessChecks } from './index.ts';

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

  it('is alive whatever is away, and ready only with everything', async () => {
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

describe('what operators can do', () => {
  const action: OpsAction = {
    method: 'POST',
    path: /^\/ops\/things\/(?<id>\d+)$/,
    handle: ({ params, query, operator }) =>
      params.id === '13'
        ? Promise.reject(new Error('thirteen'))
        : Promise.resolve({ status: 202, body: { id: params.id, again: query.get('again'), operator } }),
  };
  const post = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${server?.port}${path}`, { method: 'POST', headers });
  const token = 'x'.repeat(32);

  it('needs the token of the process', async () => {
    server = await opsServer({
      port: 0,
      readiness: {},
      metrics: new Metrics({ app: 'spec' }),
      actions: [action],
      token,
    });
    expect((await post('/ops/things/1')).status).toBe(401);
    expect((await post('/ops/things/1', { authorization: `Bearer ${'y'.repeat(32)}` })).status).toBe(401);
    const headers = { authorization: `Bearer ${token}`, 'x-operator': 'ana' };
    const done = await post('/ops/things/1?again=yes', headers);
    expect([done.status, await done.json()]).toEqual([202, { id: '1', again: 'yes', operator: 'ana' }]);
    const failed = await post('/ops/things/13', headers);
    expect([failed.status, await failed.json()]).toEqual([500, { error: 'thirteen' }]);
    expect((await fetch(`http://127.0.0.1:${server.port}/ops/things/1`, { headers })).status).toBe(405);
    expect((await fetch(`http://127.0.0.1:${server.port}/livez`)).status).toBe(200);
  });

  it('is nothing in a process without a token', async () => {
    server = await opsServer({ port: 0, readiness: {}, metrics: new Metrics({ app: 'spec' }), actions: [action] });
    expect((await post('/ops/things/1', { authorization: 'Bearer undefined' })).status).toBe(405);
  });
});
