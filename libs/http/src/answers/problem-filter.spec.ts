import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { specApp, type SpecApp } from '../spec-app.fixture.ts';

let app: NestFastifyApplication;
let spec: SpecApp;

beforeAll(async () => {
  spec = await specApp();
  app = spec.app;
});
afterAll(() => app.close());

describe('an error', () => {
  it('that nobody expected gives the caller nothing but the request id, and the log everything', async () => {
    const response = await app.inject({ url: '/open/fails?password=hunter2' });
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({
      type: 'https://api.example.test/problems/internal-error',
      title: 'Something went wrong on our side',
      status: 500,
      detail: expect.any(String),
      instance: '/open/fails',
      request_id: response.headers['x-request-id'],
    });
    expect(response.body).not.toContain('secret of the house');
    const line = spec.log.find((text) => text.includes('request failed')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({
      level: 'error',
      request_id: response.headers['x-request-id'],
      route: '/open/fails',
      err: { message: 'the secret of the house', stack: expect.stringContaining('spec-app.fixture.ts') },
    });
  });

  it('in the first bytes of a file is a problem, not a file', async () => {
    const response = await app.inject({ url: '/open/file' });
    expect(response.statusCode).toBe(500);
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.headers['content-disposition']).toBeUndefined();
    expect(response.json().status).toBe(500);
  });

  it('of an absent store is 503 with Retry-After, and a warning', async () => {
    const response = await app.inject({ url: '/open/away' });
    expect(response.statusCode).toBe(503);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(spec.log.some((text) => text.includes('"warn"') && text.includes('database-unavailable'))).toBe(true);
  });

  it('shows the path without its query', async () => {
    expect((await app.inject({ url: '/nowhere/at%20all?x=1#y' })).json().instance).toBe('/nowhere/at%20all');
  });

  it('shows the pattern in place of a path that carries a credential', async () => {
    const response = await app.inject({ url: '/v1/sign/s3cr3t-t0k3n' });
    expect(response.json().instance).toBe('/v1/sign/{token}');
    expect(response.body + spec.log.join('')).not.toContain('s3cr3t');
  });

  it('of a known path with another method names those that it has', async () => {
    const response = await app.inject({ method: 'PUT', url: '/v1/sign/whatever?x' });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('GET, HEAD');
    expect((await app.inject({ method: 'OPTIONS', url: '/v1/things' })).headers.allow).toBe('GET, HEAD, POST');
  });

  it('of an unknown path is 404 for every method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const) {
      expect((await app.inject({ method, url: '/v1/nowhere' })).statusCode).toBe(404);
    }
    expect((await app.inject({ url: '/v1/sign/' })).statusCode).toBe(404);
    expect((await app.inject({ url: '/V1/things' })).statusCode).toBe(404);
  });
});
