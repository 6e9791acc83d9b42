import { readFileSync } from 'node:fs';
import { PROBLEMS } from '@constancia/contracts';
import { migrate, urlFor } from '@constancia/persistence';
import { migrateQueue } from '@constancia/queue';
import {
  type Cluster,
  eventually,
  prepareDatabase,
  startCluster,
  TEST_PASSWORD,
  testDatabase,
  type TestDatabase,
  testTenant,
} from '@constancia/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IDENTITY } from './identity/migrations/all.ts';
import { PLATFORM } from './migrations/all.ts';
import { type Call, type RunningPlatform, runningPlatform, someIp } from './running-platform.fixture.ts';

let database: TestDatabase;
let platform: RunningPlatform;

beforeAll(async () => {
  database = await testDatabase();
  platform = await runningPlatform(database);
});

afterAll(async () => {
  await platform?.close();
  await database?.drop();
});

function expectLimitHeaders(headers: Headers): void {
  const limit = Number(headers.get('x-ratelimit-limit'));
  const remaining = Number(headers.get('x-ratelimit-remaining'));
  const reset = Number(headers.get('x-ratelimit-reset'));
  expect(limit).toBeGreaterThan(0);
  expect(remaining).toBeGreaterThanOrEqual(0);
  expect(remaining).toBeLessThanOrEqual(limit);
  expect(Math.abs(reset - Date.now() / 1000)).toBeLessThan(1_000);
  expect(headers.get('ratelimit')).toMatch(/^"[a-z-]+";r=\d+;t=\d+$/);
  expect(headers.get('ratelimit-policy')).toMatch(/;q=\d+;w=\d+/);
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
}

describe('every answer of the platform', () => {
  const json = { 'content-type': 'application/json' };
  const cases: [status: number, path: string, call: Call | undefined][] = [
    [200, '/livez', undefined],
    [200, '/readyz', undefined],
    [400, '/signup', { body: {} }],
    [400, '/signup', { body: [] }],
    [401, '/v1/billing/balance', undefined],
    [401, '/v1/billing/balance', { key: `test_${'x'.repeat(49)}` }],
    [401, '/tenants/x', undefined],
    [404, '/nothing/here', undefined],
    [405, '/signup', { method: 'GET' }],
    [415, '/signup', { headers: { 'content-type': 'text/plain' }, body: 'text' }],
    [202, '/tenants/x/api-key-recovery', { body: { owner_email: 'a@b.example' } }],
    [200, '/problems/not-found', undefined],
    [400, '/signup', { method: 'POST', headers: json }],
  ];

  it.each(cases)('carries the rate limit and a request id: %i on %s', async (status, path, call) => {
    const answer = await platform.call(path, call);
    expect(answer.status).toBe(status);
    expectLimitHeaders(answer.headers);
    if (status >= 400) {
      expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(answer.body).toMatchObject({
        type: expect.stringMatching(/^http:\/\/platform\.test\/problems\/[a-z-]+$/) as string,
        title: expect.any(String) as string,
        status,
        detail: expect.any(String) as string,
        instance: path,
        request_id: answer.headers.get('x-request-id'),
      });
    }
  });

  it('counts a tenant and an address together on /v1, and an address alone elsewhere', async () => {
    const tenant = await testTenant(database);
    const headers = { 'x-forwarded-for': someIp() };
    const first = await platform.call('/v1/billing/balance', { key: tenant.apiKey, headers });
    const second = await platform.call('/v1/billing/ledger', { key: tenant.apiKey, headers });
    const elsewhere = await platform.call(`/tenants/${tenant.id}`, { key: tenant.apiKey, headers });
    expect(first.headers.get('x-ratelimit-limit')).toBe('120');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('119');
    expect(second.headers.get('x-ratelimit-remaining')).toBe('118');
    expect(elsewhere.headers.get('x-ratelimit-remaining')).toBe('119');
  });

  it('refuses a wrong key 30 times a minute, and then the address', async () => {
    const headers = { 'x-forwarded-for': someIp() };
    const statuses: number[] = [];
    for (let i = 0; i < 31; i++) statuses.push((await platform.call('/v1/billing/balance', { headers })).status);
    expect(statuses).toEqual([...Array<number>(30).fill(401), 429]);
  });
});

describe('the pages that the platform serves', () => {
  it.each(Object.keys(PROBLEMS))('explain the problem %s', async (slug) => {
    const { status, headers, text } = await platform.call(`/problems/${slug}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/html/);
    expect(text).toContain(slug);
  });

  it('are not there for an unknown problem', async () => {
    const { status, body } = await platform.call('/problems/no-such-slug');
    expect(status).toBe(404);
    expect(body).toMatchObject({ type: 'http://platform.test/problems/not-found' });
  });

  it('include the committed OpenAPI document, byte by byte', async () => {
    const { status, text } = await platform.call('/api/platform.v1.yaml');
    expect(status).toBe(200);
    expect(text).toBe(readFileSync(new URL('../../../docs/api/platform.v1.yaml', import.meta.url), 'utf8'));
  });
});

describe('the schema', () => {
  it('is migrated once, however often and by however many at once', async () => {
    const owner = database.owner('platform');
    const applied = await Promise.all([migrate(owner, PLATFORM), migrate(owner, PLATFORM)]);
    expect(applied).toEqual([[], []]);
  });

  it('of an older build keeps the process out of service until it is migrated', async () => {
    const own = await testDatabase();
    try {
      const [newest] = await own.query<{ id: number; name: string; timestamp: string }>(
        'delete from platform.migration where id = (select max(id) from platform.migration) returning *',
      );
      const late = await runningPlatform(own);
      try {
        const before = await late.call('/readyz');
        expect(before.status).toBe(503);
        await own.query('insert into platform.migration (timestamp, name) values ($1, $2)', [
          newest?.timestamp,
          newest?.name,
        ]);
        await eventually(async () => expect((await late.call('/readyz')).status).toBe(200));
      } finally {
        await late.close();
      }
    } finally {
      await own.drop();
    }
  });

  it('shows the app role no tenant without a tenant’s transaction', async () => {
    await testTenant(database);
    const client = new pg.Client({ connectionString: database.app('platform') });
    await client.connect();
    try {
      for (const table of ['tenant', 'api_key', 'credit_account', 'credit_entry']) {
        expect((await client.query(`select 1 from platform.${table}`)).rowCount).toBe(0);
      }
      await expect(client.query('select * from platform.recovery_token')).rejects.toThrow(/permission denied/);
      await expect(client.query('select * from platform.recovery_request')).rejects.toThrow(/permission denied/);
      await expect(
        client.query(`select platform.replace_api_key(gen_random_uuid(), gen_random_uuid(), ''::bytea, '', 0)`),
      ).rejects.toThrow(/permission denied/);
    } finally {
      await client.end();
    }
  });
});

describe('while Postgres cannot be reached', () => {
  let cluster: Cluster;
  let away: RunningPlatform;

  beforeAll(async () => {
    cluster = await startCluster();
    await prepareDatabase(cluster.adminUrl, [PLATFORM, IDENTITY], migrateQueue);
    const role = (name: string) => urlFor(cluster.adminUrl, name, TEST_PASSWORD);
    away = await runningPlatform({ app: (schema) => role(`${schema}_app`), queueUrl: role('queue_app') });
  });

  afterAll(async () => {
    await away?.close();
    await cluster?.remove();
  });

  it('answers 503 database-unavailable, and serves again without a restart', async () => {
    const body = { plan: 'sandbox', slug: 'before', display_name: 'A', owner_email: 'a@b.example' };
    const signedUp = await away.call<{ api_key: string; tenant_id: string }>('/signup', { body });
    expect(signedUp.status).toBe(201);
    const { api_key: key, tenant_id: id } = signedUp.body;
    expect((await away.call('/v1/billing/balance', { key })).status).toBe(200);

    await cluster.stop();
    const calls: [string, Call][] = [
      ['/v1/billing/balance', { key }],
      [`/tenants/${id}/rotate-api-key`, { method: 'POST', key }],
      [`/tenants/${id}/api-key-recovery`, { body: { owner_email: 'a@b.example' } }],
      ['/signup', { body: { ...body, slug: 'meanwhile' } }],
      ['/readyz', {}],
    ];
    for (const [path, call] of calls) {
      const answer = await away.call(path, call);
      expect([path, answer.status]).toEqual([path, 503]);
      const slug = path === '/readyz' ? 'dependency-unavailable' : 'database-unavailable';
      expect(answer.body).toMatchObject({ type: `http://platform.test/problems/${slug}` });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expectLimitHeaders(answer.headers);
    }
    expect((await away.call('/livez')).status).toBe(200);

    await cluster.start();
    await eventually(async () => expect((await away.call('/readyz')).status).toBe(200), 15_000);
    expect((await away.call('/v1/billing/balance', { key })).body).toEqual({ available: 1000, held: 0 });
    const rotated = await away.call<{ api_key: string }>(`/tenants/${id}/rotate-api-key`, {
      key,
      body: { grace_seconds: 0 },
    });
    expect(rotated.status).toBe(200);
    // NOTIFY arrives again on the listening connection, too.
    await eventually(async () => expect((await away.call('/v1/billing/balance', { key })).status).toBe(401), 5_500);
  });
});
