import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { KEY, TENANT, specApp } from '../spec-app.fixture.ts';

let app: NestFastifyApplication | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function started(given: Parameters<typeof specApp>[0] = {}) {
  const spec = await specApp(given);
  app = spec.app;
  const call = (method: string, url: string, headers: Record<string, string> = {}, payload?: string) =>
    spec.app.inject({ method: method as 'GET', url, headers, payload });
  const withKey = (method: string, url: string, headers: Record<string, string> = {}) =>
    call(method, url, { 'x-api-key': KEY, ...headers });
  return { ...spec, call, withKey };
}

const LIMIT_HEADERS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit',
  'ratelimit-policy',
];

describe('every answer', () => {
  it.each([
    ['200', 'GET', '/v1/things', { 'x-api-key': KEY }, undefined, 200],
    ['200 for HEAD', 'HEAD', '/v1/things', { 'x-api-key': KEY }, undefined, 200],
    ['400', 'GET', '/v1/things?limit=0', { 'x-api-key': KEY }, undefined, 400],
    ['400 for an address that cannot be read', 'GET', '/v1/%zz', {}, undefined, 400],
    ['400 for NUL in the address', 'GET', '/open/ip?x=%00', {}, undefined, 400],
    ['401 without a key', 'GET', '/v1/things', {}, undefined, 401],
    ['401 with a wrong key', 'GET', '/v1/things', { 'x-api-key': 'test_wrong' }, undefined, 401],
    ['404 for a path', 'GET', '/nowhere', {}, undefined, 404],
    ['404 for a path, with a body', 'POST', '/nowhere', { 'content-type': 'application/json' }, '{', 404],
    ['404 for an id', 'GET', '/v1/things/missing', { 'x-api-key': KEY }, undefined, 404],
    ['405', 'DELETE', '/v1/things', {}, undefined, 405],
    ['413', 'POST', '/v1/pdf', { 'x-api-key': KEY, 'content-type': 'application/pdf' }, 'x'.repeat(1025), 413],
    ['414 as 400', 'GET', `/v1/things/${'x'.repeat(600)}`, {}, undefined, 400],
    ['415', 'POST', '/v1/things', { 'x-api-key': KEY, 'content-type': 'text/xml' }, '<a/>', 415],
    ['500', 'GET', '/open/fails', {}, undefined, 500],
    ['503', 'GET', '/open/away', {}, undefined, 503],
    ['/livez', 'GET', '/livez', {}, undefined, 200],
  ] as const)(
    'carries request id, limits and security headers: %s',
    async (_, method, url, headers, payload, status) => {
      const { call } = await started();
      const response = await call(method, url, { ...headers }, payload);
      expect(response.statusCode).toBe(status);
      for (const name of LIMIT_HEADERS) expect(response.headers, name).toHaveProperty(name);
      expect(Number(response.headers['x-ratelimit-reset'])).toBeGreaterThan(Date.now() / 1000 - 1);
      expect(response.headers['x-request-id']).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
      expect(response.headers['content-security-policy']).toContain("default-src 'none'");
      expect(response.headers['x-content-type-options']).toBe('nosniff');
      expect(response.headers['strict-transport-security']).toContain('max-age=');
      expect(response.headers).not.toHaveProperty('x-powered-by');
      expect(response.headers).not.toHaveProperty('server');
      if (status >= 400) {
        expect(response.headers['content-type']).toBe('application/problem+json');
        expect(response.json()).toMatchObject({ status, request_id: response.headers['x-request-id'] });
      }
      if (status === 503) expect(response.headers).toHaveProperty('retry-after');
    },
  );
});

describe('the request id', () => {
  it.each(['abcdefgh', 'A-b_c-4567', 'x'.repeat(64)])(
    'is the one that was sent when it is of our form: %s',
    async (id) => {
      const { call } = await started();
      expect((await call('GET', '/open/ip', { 'x-request-id': id })).headers['x-request-id']).toBe(id);
    },
  );

  it.each(['short', 'x'.repeat(65), 'abcdefgh<script>', 'abc defgh', ''])('is a new one instead of %j', async (id) => {
    const { call } = await started();
    expect((await call('GET', '/open/ip', { 'x-request-id': id })).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('authentication', () => {
  it('gives the handler the tenant of the key', async () => {
    const { withKey } = await started();
    expect((await withKey('GET', '/v1/things')).json()).toMatchObject({ tenant: TENANT.id });
  });

  it('answers 401 invalid-api-key with a challenge, the same for a missing and a wrong key', async () => {
    const { call } = await started();
    const [missing, wrong] = [
      await call('GET', '/v1/things'),
      await call('GET', '/v1/things', { 'x-api-key': 'test_no' }),
    ];
    expect(missing.headers['www-authenticate']).toBeDefined();
    const { request_id: _a, ...first } = missing.json();
    const { request_id: _b, ...second } = wrong.json();
    expect(first).toEqual(second);
    expect(first.type).toBe('https://api.example.test/problems/invalid-api-key');
  });

  it('asks for no key where a path or method does not exist', async () => {
    const { call, keys } = await started();
    expect((await call('GET', '/v1/nowhere')).statusCode).toBe(404);
    const response = await call('PATCH', '/v1/things/1');
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('GET, HEAD');
    expect(keys.lookups).toBe(0);
  });

  it('takes a recovery token only where it is allowed, and the key first', async () => {
    const { call } = await started();
    const authorization = 'Bearer rec_abc';
    expect((await call('POST', '/tenants/1/rotate', { authorization })).json()).toMatchObject({
      token: 'rec_abc',
      tenant: null,
    });
    expect((await call('POST', '/tenants/1/rotate', { authorization, 'x-api-key': KEY })).json()).toMatchObject({
      token: null,
      tenant: TENANT.id,
    });
    expect((await call('POST', '/tenants/1/rotate', { authorization: 'Bearer fls_abc' })).statusCode).toBe(401);
    expect((await call('GET', '/v1/things', { authorization })).statusCode).toBe(401);
  });

  it('answers 503 while keys cannot be looked up, and does not count that against the caller', async () => {
    const { call, keys, config } = await started({ config: { rateLimitWrongKey: 3 } });
    keys.storeAway = true;
    for (let i = 0; i < config.rateLimitWrongKey + 2; i++) {
      const response = await call('GET', '/v1/things', { 'x-api-key': KEY });
      expect(response.statusCode).toBe(503);
      expect(response.json().type).toContain('database-unavailable');
      expect(response.headers).toHaveProperty('x-ratelimit-limit');
    }
    keys.storeAway = false;
    expect((await call('GET', '/v1/things', { 'x-api-key': KEY })).statusCode).toBe(200);
  });
});

describe('rate limits', () => {
  it('count a tenant and address together on /v1', async () => {
    const { withKey } = await started({ config: { rateLimitTenant: 2, rateLimitIp: 50, trustedProxyHops: 1 } });
    const from = (ip: string) => withKey('GET', '/v1/things', { 'x-forwarded-for': ip });
    expect((await from('203.0.113.1')).headers).toMatchObject({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
      'ratelimit-policy': '"default";q=2;w=60, "tenant";q=20;w=60',
      ratelimit: expect.stringMatching(/^"default";r=1;t=\d+$/),
    });
    await from('203.0.113.1');
    const refused = await from('203.0.113.1');
    expect(refused.statusCode).toBe(429);
    expect(refused.json().type).toContain('rate-limit-exceeded');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['x-ratelimit-remaining']).toBe('0');
    expect((await from('203.0.113.2')).statusCode).toBe(200);
  });

  it('count a tenant across all its addresses, too, and show whichever is narrower', async () => {
    const { withKey } = await started({
      config: { rateLimitTenant: 3, rateLimitTenantTotal: 4, trustedProxyHops: 1 },
    });
    const from = (ip: string) => withKey('GET', '/v1/things', { 'x-forwarded-for': ip });
    const shown = async (ip: string) => {
      const { statusCode, headers } = await from(ip);
      return [statusCode, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']];
    };
    expect(await shown('198.51.100.1')).toEqual([200, '3', '2']);
    expect(await shown('198.51.100.1')).toEqual([200, '3', '1']);
    expect(await shown('198.51.100.2')).toEqual([200, '4', '1']);
    expect(await shown('198.51.100.3')).toEqual([200, '4', '0']);
    const refused = await from('198.51.100.4');
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['x-ratelimit-limit']).toBe('4');
    expect(refused.headers['ratelimit-policy']).toBe('"default";q=3;w=60, "tenant";q=4;w=60');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('count the address alone elsewhere, keys or not', async () => {
    const { call, withKey, metrics } = await started({ config: { rateLimitIp: 3 } });
    await call('GET', '/open/ip');
    await call('GET', '/nowhere');
    await withKey('POST', '/tenants/1/rotate');
    expect((await call('GET', '/open/ip')).statusCode).toBe(429);
    expect((await call('GET', '/nowhere')).statusCode).toBe(429);
    expect((await withKey('POST', '/tenants/1/rotate')).statusCode).toBe(429);
    expect((await withKey('GET', '/v1/things')).statusCode).toBe(200);
    expect(await metrics.text()).toContain('rate_limited_total{policy="default",app="spec"} 3');
  });

  it('stop guessing before any look-up', async () => {
    const { call, keys } = await started();
    for (let i = 0; i < 30; i++) {
      expect((await call('GET', '/v1/things', { 'x-api-key': `test_guess${i}` })).statusCode).toBe(401);
    }
    const refused = await call('GET', '/v1/things', { 'x-api-key': 'test_guess30' });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['ratelimit-policy']).toBe('"wrong-key";q=30;w=60');
    expect(keys.lookups).toBe(30);
    expect((await call('GET', '/v1/things')).statusCode).toBe(429);
  });

  it('do not stop a right key that others at its address guess around', async () => {
    const { call, withKey } = await started();
    expect((await withKey('GET', '/v1/things')).statusCode).toBe(200);
    for (let i = 0; i < 31; i++) await call('GET', '/v1/things');
    expect((await withKey('GET', '/v1/things')).statusCode).toBe(200);
  });

  it('give the token of a right key back', async () => {
    const { withKey, limiter } = await started();
    for (let i = 0; i < 60; i++) expect((await withKey('GET', '/v1/things')).statusCode).toBe(200);
    expect(limiter.used.get('wrong-key:ip:127.0.0.1')).toBe(0);
  });

  it('let 200 requests with one new key in together, with one look-up', async () => {
    const { withKey, keys } = await started({ config: { rateLimitTenant: 120 } });
    const answers = await Promise.all(Array.from({ length: 200 }, () => withKey('GET', '/v1/things')));
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(120);
    expect(statuses.filter((status) => status === 429)).toHaveLength(80);
    expect(keys.lookups).toBe(1);
  });

  it('count every one of many requests that come together with one wrong key', async () => {
    const { call, keys } = await started();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call('GET', '/v1/things', { 'x-api-key': 'test_wrong' })),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expect(keys.lookups).toBe(1);
  });

  it('skip look-up and token for a key that is cached', async () => {
    const { withKey, keys, limiter } = await started();
    keys.known.add(KEY);
    await withKey('GET', '/v1/things');
    expect(keys.lookups).toBe(0);
    expect([...limiter.used.keys()]).toEqual([`default:tenant:${TENANT.id}:127.0.0.1`, `tenant:tenant:${TENANT.id}`]);
  });

  it('never refuse a health probe, and let it say a full limit', async () => {
    const { call, limiter } = await started({ config: { rateLimitIp: 1 } });
    for (let i = 0; i < 5; i++) expect((await call('GET', '/readyz')).statusCode).toBe(200);
    expect((await call('GET', '/livez')).headers['x-ratelimit-remaining']).toBe('1');
    expect(limiter.used.size).toBe(0);
  });

  it('may be narrower on one route, which shows whichever is nearer to its end', async () => {
    const policies = [
      { name: 'signup', method: 'POST', path: '/signup', limit: 2, windowSeconds: 900, by: 'ip' as const },
    ];
    const { call } = await started({ policies, config: { rateLimitIp: 4 } });
    const first = await call('POST', '/signup');
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
      'ratelimit-policy': '"signup";q=2;w=900, "default";q=4;w=60',
      ratelimit: expect.stringMatching(/^"signup";r=1;t=\d+$/),
    });
    await call('POST', '/signup');
    const refused = await call('POST', '/signup');
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['x-ratelimit-limit']).toBe('2');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
    expect((await call('GET', '/open/ip')).headers['x-ratelimit-remaining']).toBe('1');
  });

  it('give back what a special limit took when the general one refuses', async () => {
    const policies = [
      { name: 'signup', method: 'POST', path: '/signup', limit: 5, windowSeconds: 900, by: 'ip' as const },
    ];
    const { call, limiter } = await started({ policies, config: { rateLimitIp: 1 } });
    await call('POST', '/signup');
    expect((await call('POST', '/signup')).statusCode).toBe(429);
    expect(limiter.used.get('signup:ip:127.0.0.1')).toBe(1);
  });

  it('may count a path parameter, whose value the limiter never sees', async () => {
    const policies = [
      { name: 'sign', method: 'GET', path: '/v1/sign/*', limit: 1, windowSeconds: 60, by: { parameter: 'token' } },
    ];
    const { call, limiter } = await started({ policies });
    expect((await call('GET', '/v1/sign/secret-token-1')).statusCode).toBe(404);
    expect((await call('GET', '/v1/sign/secret-token-1')).statusCode).toBe(429);
    expect((await call('GET', '/v1/sign/secret-token-2')).statusCode).toBe(404);
    expect([...limiter.used.keys()].join()).not.toContain('secret-token');
  });
});
