import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { specApp } from '../spec-app.fixture.ts';

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

  it.each(['database', 'storage'])('says no more than "unavailable" when %s is unavailable', async (name) => {
    const readinessDetails = () => Promise.resolve({ lists: { OFAC: { stale: true } } });
    ({ app } = await specApp({ readiness: { [name]: () => Promise.reject(new Error('away')) }, readinessDetails }));
    const response = await app.inject({ url: '/readyz' });
    expect(response.statusCode).toBe(503);
    expect(response.headers).toHaveProperty('retry-after');
    expect(response.json()).toMatchObject({
      type: 'https://api.example.test/problems/dependency-unavailable',
      detail: 'unavailable',
    });
    expect(response.body).not.toMatch(new RegExp(`${name}|OFAC`));
  });

  it('runs its checks at most once per second, however many ask, and shows no one more than ok', async () => {
    let checks = 0;
    const readinessDetails = () => Promise.resolve({ lists: { OFAC: { stale: true } } });
    const database = () => {
      checks += 1;
      return Promise.resolve();
    };
    ({ app } = await specApp({ readiness: { database }, readinessDetails }));
    const ask = () => app?.inject({ url: '/readyz' });
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    expect(answers.map((answer) => answer?.json() as unknown)).toEqual(answers.map(() => ({ status: 'ok' })));
    await ask();
    expect(checks).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await ask();
    expect(checks).toBe(2);
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
