import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { listenForPages } from '../index.ts';
import { KEY, specApp } from '../spec-app.fixture.ts';

const CONSOLE = 'https://console.example.test';
/** As browsers send it, and what may not pass for it. */
const OTHERS = [
  'https://console.example.test.evil.test',
  'https://evil.test',
  'http://console.example.test',
  'https://console.example.test:8443',
  'https://sub.console.example.test',
  'null',
];

let app: NestFastifyApplication | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function listening(config: Parameters<typeof specApp>[0] = {}) {
  const pageHost = { port: 0, folders: ['/nowhere'], pages: { '/login': 'index.html' } };
  const given = { pageHosts: { page: pageHost }, ...config, config: { consoleUrl: `${CONSOLE}/`, ...config.config } };
  const spec = await specApp(given);
  app = spec.app;
  await spec.app.listen(0, '127.0.0.1');
  const { port } = spec.app.getHttpServer().address() as AddressInfo;
  const pagePort = await listenForPages(spec.app);
  const call = (path: string, init: RequestInit = {}, at = port) => fetch(`http://127.0.0.1:${at}${path}`, init);
  const preflight = (path: string, origin: string, at = port) =>
    call(path, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } }, at);
  return { ...spec, call, preflight, pagePort };
}

const corsOf = (answer: Response) => [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
const listed = (answer: Response, header: string) => (answer.headers.get(header) ?? '').toLowerCase().split(/, */);

describe('cross-origin requests', () => {
  it('a preflight of the console gets 204 with what it may send, and for how long that holds', async () => {
    const { preflight } = await listening();
    const answer = await preflight('/v1/things', CONSOLE);
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(answer.headers.get('access-control-allow-origin')).toBe(CONSOLE);
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE');
    expect(listed(answer, 'access-control-allow-headers')).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'idempotency-key', 'if-match', 'x-actor']),
    );
    expect(answer.headers.get('access-control-max-age')).toBe('7200');
    expect(answer.headers.get('vary')).toContain('Origin');
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it('a preflight is not counted by the limit of the address, and a 429 can be read by the page', async () => {
    const { call, preflight } = await listening({ config: { rateLimitIp: 3 } });
    const ask = () => call('/no/such/path', { headers: { origin: CONSOLE } });
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push([(await preflight('/v1/things', CONSOLE)).status, (await ask()).status]);
    expect(answers).toEqual([
      [204, 404],
      [204, 404],
      [204, 404],
      [204, 429],
    ]);
    const refused = await ask();
    expect(refused.headers.get('access-control-allow-origin')).toBe(CONSOLE);
    expect(listed(refused, 'access-control-expose-headers')).toContain('retry-after');
  });

  it.each([
    [200, '/v1/things', { 'x-api-key': KEY }],
    [401, '/v1/things', {}],
    [404, '/no/such/path', {}],
    [500, '/open/fails', {}],
    [503, '/open/away', {}],
  ] as const)('an answer of %i can be read by the console, with its headers', async (status, path, headers) => {
    const { call } = await listening();
    const answer = await call(path, { headers: { ...headers, origin: CONSOLE } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe(CONSOLE);
    expect(listed(answer, 'access-control-expose-headers')).toEqual(
      expect.arrayContaining([
        'x-request-id',
        'x-ratelimit-limit',
        'x-ratelimit-remaining',
        'x-ratelimit-reset',
        'ratelimit',
        'ratelimit-policy',
        'retry-after',
        'etag',
        'location',
        'content-disposition',
        'idempotent-replayed',
      ]),
    );
    expect(answer.headers.get('vary')).toContain('Origin');
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
  });

  it.each(OTHERS)('a page of %s gets no CORS headers, for its preflight neither', async (origin) => {
    const { call, preflight } = await listening();
    const answer = await call('/v1/things', { headers: { origin, 'x-api-key': KEY } });
    expect([answer.status, corsOf(answer), answer.headers.get('vary')]).toEqual([200, [], 'Origin']);
    const asked = await preflight('/v1/things', origin);
    expect([asked.status, corsOf(asked)]).toEqual([405, []]);
  });

  it('without a console no origin gets any, and answers do not vary by it', async () => {
    const { call, preflight } = await listening({ config: { consoleUrl: undefined } });
    const answer = await call('/v1/things', { headers: { origin: CONSOLE, 'x-api-key': KEY } });
    expect([corsOf(answer), answer.headers.get('vary')]).toEqual([[], null]);
    expect((await preflight('/v1/things', CONSOLE)).status).toBe(405);
    expect(corsOf(await preflight('/v1/things', 'undefined'))).toEqual([]);
  });

  it('the page host gives none to anyone', async () => {
    const { call, preflight, pagePort } = await listening();
    for (const origin of [CONSOLE, 'https://evil.test']) {
      const headers = { origin };
      expect(corsOf(await call('/page/session', { method: 'POST', headers }, pagePort))).toEqual([]);
      expect(corsOf(await preflight('/page/session', origin, pagePort))).toEqual([]);
    }
  });

  it('OPTIONS without a question is no preflight', async () => {
    const { call } = await listening();
    const answer = await call('/v1/things', { method: 'OPTIONS', headers: { origin: CONSOLE } });
    expect(answer.status).toBe(405);
  });
});
