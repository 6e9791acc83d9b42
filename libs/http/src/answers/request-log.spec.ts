import net from 'node:net';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { KEY, TENANT, specApp } from '../spec-app.fixture.ts';

let app: NestFastifyApplication | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function started() {
  const spec = await specApp();
  app = spec.app;
  const requests = () => spec.log.filter((line) => line.includes('"msg":"request"')).map((line) => JSON.parse(line));
  return { ...spec, requests };
}

describe('the log', () => {
  it('has one line per request, with the route and not the path', async () => {
    const { app, requests } = await started();
    const response = await app.inject({ url: '/v1/things/thing-17?q=1', headers: { 'x-api-key': KEY } });
    await app.inject({ url: '/v1/things' });
    await app.inject({ url: '/%zz' });
    expect(requests()).toMatchObject([
      {
        level: 'info',
        method: 'GET',
        route: '/v1/things/{id}',
        status: 200,
        duration_ms: expect.any(Number),
        request_id: response.headers['x-request-id'],
        tenant_id: TENANT.id,
        bytes: Number(response.headers['content-length']),
      },
      { route: '/v1/things', status: 401 },
      { route: 'unmatched', status: 400 },
    ]);
    expect(requests()[1]).not.toHaveProperty('tenant_id');
  });

  it('never has anything of what was sent', async () => {
    const { app, log } = await started();
    const canary = 'canary-1f0e';
    await app.inject({
      method: 'POST',
      url: `/v1/things?query=${canary}`,
      headers: { 'x-api-key': KEY, 'x-placeholders': canary, cookie: canary, 'user-agent': canary },
      payload: { code: canary, [canary]: 1 },
    });
    await app.inject({ url: `/v1/things/${canary}`, headers: { 'x-api-key': `test_${canary}` } });
    await app.inject({ url: `/${canary}` });
    await app.inject({ url: `/%zz${canary}` });
    await app.inject({ method: 'POST', url: '/v1/things', headers: { 'x-api-key': KEY }, payload: `{"${canary}` });
    expect(log.length).toBeGreaterThanOrEqual(5);
    expect(log.join('')).not.toContain(canary);
    expect(log.join('')).not.toContain(KEY);
  });

  it('says 499 when the caller hung up, and forgets the request', async () => {
    const { app, requests } = await started();
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    const socket = net.connect(port, '127.0.0.1');
    socket.write('GET /open/slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    await vi.waitFor(() => expect(requests()).toMatchObject([{ route: '/open/slow', status: 499 }]), 5_000);
  });

  it('leaves healthy probes out', async () => {
    const { app, requests } = await started();
    await app.inject({ url: '/livez' });
    await app.inject({ url: '/readyz' });
    expect(requests()).toEqual([]);
  });
});

describe('the metrics', () => {
  it('count by route template and status', async () => {
    const { app, metrics } = await started();
    await app.inject({ url: '/v1/things/a', headers: { 'x-api-key': KEY } });
    await app.inject({ url: '/v1/things/b', headers: { 'x-api-key': KEY } });
    await app.inject({ url: '/nowhere/1' });
    const text = await metrics.text();
    const counted = text.split('\n').filter((line) => line.startsWith('http_request_duration_seconds_count'));
    expect(counted).toHaveLength(2);
    expect(counted[0]).toMatch(/method="GET",route="\/v1\/things\/{id}",status="200"} 2$/);
    expect(text).toContain('route="unmatched",status="404"');
    expect(text).not.toContain('nowhere');
  });
});
