import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { specApp } from './spec-app.fixture.ts';

let app: NestFastifyApplication | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

describe('/readyz', () => {
  it('asks for no key and answers ok when everything is there', async () => {
    ({ app } = await specApp({ readiness: { database: () => Promise.resolve(), queue: () => Promise.resolve() } }));
    const response = await app.inject({ url: '/readyz' });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ status: 'ok' });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('tells in what condition the process is, where it has something to tell', async () => {
    ({ app } = await specApp({ condition: () => Promise.resolve({ lists: { OFAC: { stale: true } } }) }));
    const response = await app.inject({ url: '/readyz' });
    expect(response.json()).toEqual({ status: 'ok', lists: { OFAC: { stale: true } } });
  });

  it.each([
    ['database', 'database-unavailable'],
    ['storage', 'dependency-unavailable'],
  ])('names %s when it is away', async (name, slug) => {
    ({ app } = await specApp({ readiness: { [name]: () => Promise.reject(new Error('away')) } }));
    const response = await app.inject({ url: '/readyz' });
    expect(response.statusCode).toBe(503);
    expect(response.headers).toHaveProperty('retry-after');
    expect(response.json()).toMatchObject({
      type: `https://api.example.test/problems/${slug}`,
      detail: `Not ready: ${name}.`,
      failed: [name],
    });
  });

  it('answers within 2 s when a check hangs, while /livez is untouched', async () => {
    ({ app } = await specApp({ readiness: { queue: () => new Promise(() => {}) } }));
    const started = performance.now();
    const [ready, live] = await Promise.all([app.inject({ url: '/readyz' }), app.inject({ url: '/livez' })]);
    expect(ready.statusCode).toBe(503);
    expect(live.statusCode).toBe(200);
    expect(performance.now() - started).toBeLessThan(2_500);
  });
});
