import { uuidv7 } from '@constancia/kernel';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';

let store: TestDatabase;
let platform: RunningPlatform;
/** A deployment that allows no loopback: production's rules. */
let strict: RunningPlatform;

beforeAll(async () => {
  store = await testDatabase();
  [platform, strict] = await Promise.all([
    runningPlatform(store),
    runningPlatform(store, { WEBHOOK_ALLOW_LOOPBACK: 'false' }),
  ]);
});
afterAll(async () => {
  await Promise.all([platform?.close(), strict?.close()]);
  await store?.drop();
});

const path = (tenant: { id: string }, module = 'seal') => `/tenants/${tenant.id}/webhook-endpoints/${module}`;

describe('PUT /tenants/{id}/webhook-endpoints/{module}', () => {
  it('registers an endpoint with defaults, and replaces it whole', async () => {
    const tenant = await testTenant(store);
    const put = (body: unknown) => platform.call(path(tenant), { method: 'PUT', key: tenant.apiKey, body });
    const first = await put({ url: 'https://hooks.example.com/in' });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      module: 'seal',
      url: 'https://hooks.example.com/in',
      enabled: true,
      event_types: [],
      description: null,
      disabled_reason: null,
      consecutive_failures: 0,
      paused_until: null,
    });
    expect(first.body.id).toMatch(/^whe_[0-7][0-9a-z]{25}$/);
    const second = await put({
      url: 'https://hooks.example.com:8443/other',
      enabled: false,
      event_types: ['seal.signature.completed', 'endpoint.test'],
      description: 'staging',
    });
    expect(second.body).toMatchObject({
      id: first.body.id,
      url: 'https://hooks.example.com:8443/other',
      enabled: false,
      event_types: ['seal.signature.completed', 'endpoint.test'],
      description: 'staging',
    });
    const third = await put({ url: 'https://hooks.example.com/in' });
    expect(third.body).toMatchObject({ enabled: true, event_types: [], description: null });
  });

  it('brings back an endpoint that was disabled, without its failures', async () => {
    const tenant = await testTenant(store);
    const put = () =>
      platform.call(path(tenant), { method: 'PUT', key: tenant.apiKey, body: { url: 'https://hooks.example.com/' } });
    await put();
    await store.query(
      `update platform.webhook_endpoint set enabled = false, disabled_reason = 'gone', disabled_at = now(),
         consecutive_failures = 9, first_failure_at = now(), paused_until = now() + interval '1 h' where tenant_id = $1`,
      [tenant.id],
    );
    const shown = await platform.call(path(tenant), { key: tenant.apiKey });
    expect(shown.body).toMatchObject({ enabled: false, disabled_reason: 'gone', consecutive_failures: 9 });
    expect((await put()).body).toMatchObject({
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      consecutive_failures: 0,
      failing_since: null,
      paused_until: null,
    });
  });

  it.each([
    ['http://hooks.example.com/', 'scheme_refused'],
    ['https://127.0.0.1/', 'address_refused'],
    ['https://localhost/', 'address_refused'],
    ['https://2130706433/', 'address_refused'],
    ['https://[::ffff:169.254.169.254]/', 'address_refused'],
    ['https://10.0.0.8/', 'address_refused'],
    ['https://user:pw@hooks.example.com/', 'credentials_refused'],
    ['https://hooks.example.com:25/', 'port_refused'],
    ['not a url', 'url_invalid'],
  ])('refuses %s: %s', async (url, code) => {
    const tenant = await testTenant(store);
    const { status, body } = await strict.call(path(tenant), { method: 'PUT', key: tenant.apiKey, body: { url } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ pointer: '/url', code }] });
  });

  it('allows loopback only where the deployment does', async () => {
    const tenant = await testTenant(store);
    const call = { method: 'PUT', key: tenant.apiKey, body: { url: 'http://127.0.0.1:4000/in' } };
    expect((await platform.call(path(tenant), call)).status).toBe(200);
    expect((await strict.call(path(tenant), call)).status).toBe(400);
  });

  it('reports everything wrong at once, and knows the event types of each module', async () => {
    const tenant = await testTenant(store);
    const body = { url: 'ftp://x/', event_types: ['subject.verified', 'seal.signature.completed', 'nonsense'] };
    const { body: problem } = await platform.call(path(tenant), { method: 'PUT', key: tenant.apiKey, body });
    const errors = problem.errors as { pointer: string }[];
    expect(errors.map((error) => error.pointer).sort()).toEqual(['/event_types/0', '/event_types/2', '/url']);
    const wrong = await platform.call(path(tenant), {
      method: 'PUT',
      key: tenant.apiKey,
      body: { enabled: 'yes', secret: 'x' },
    });
    expect((wrong.body.errors as { pointer: string }[]).map((error) => error.pointer)).toEqual([
      '/enabled',
      '/secret',
      '/url',
    ]);
    const module = await platform.call(path(tenant, 'wallet'), {
      method: 'PUT',
      key: tenant.apiKey,
      body: { url: 'https://hooks.example.com/' },
    });
    expect(module.body).toMatchObject({ status: 400, errors: [{ pointer: '/path/module' }] });
  });
});

describe('the endpoints of a tenant', () => {
  it('are listed by module, shown and deleted', async () => {
    const tenant = await testTenant(store);
    const key = tenant.apiKey;
    for (const module of ['seal', 'identity']) {
      await platform.call(path(tenant, module), { method: 'PUT', key, body: { url: 'https://hooks.example.com/' } });
    }
    const list = await platform.call<{ data: { module: string }[] }>(`/tenants/${tenant.id}/webhook-endpoints`, {
      key,
    });
    expect(list.body.data.map((endpoint) => endpoint.module)).toEqual(['identity', 'seal']);
    expect((await platform.call(path(tenant), { key })).body).toMatchObject({ module: 'seal' });
    expect((await platform.call(path(tenant), { method: 'DELETE', key })).status).toBe(204);
    expect((await platform.call(path(tenant), { key })).status).toBe(404);
    expect((await platform.call(path(tenant), { method: 'DELETE', key })).status).toBe(404);
    expect((await platform.call(path(tenant, 'wallet'), { key })).status).toBe(404);
  });

  it('are nobody else’s: another tenant’s id answers as an unknown one', async () => {
    const [tenant, stranger] = [await testTenant(store), await testTenant(store)];
    const url = 'https://hooks.example.com/';
    await platform.call(path(tenant), { method: 'PUT', key: tenant.apiKey, body: { url } });
    const calls = [
      (id: string) => platform.call(`/tenants/${id}/webhook-endpoints`, { key: stranger.apiKey }),
      (id: string) => platform.call(path({ id }), { key: stranger.apiKey }),
      (id: string) => platform.call(path({ id }), { method: 'DELETE', key: stranger.apiKey }),
      (id: string) => platform.call(path({ id }), { method: 'PUT', key: stranger.apiKey, body: { url } }),
      (id: string) => platform.call(`${path({ id })}/test`, { method: 'POST', key: stranger.apiKey }),
    ];
    for (const call of calls) {
      const [foreign, unknown] = [await call(tenant.id), await call(uuidv7())];
      expect(foreign.status).toBe(404);
      const bare = ({ instance: _, request_id: __, ...rest }: Record<string, unknown>) => rest;
      expect(bare(foreign.body)).toEqual(bare(unknown.body));
    }
    expect((await platform.call(path(tenant), { key: tenant.apiKey })).status).toBe(200);
  });
});

describe('POST /tenants/{id}/webhook-endpoints/{module}/test', () => {
  it('makes a delivery of endpoint.test, whatever the endpoint subscribes to', async () => {
    const tenant = await testTenant(store);
    const key = tenant.apiKey;
    await platform.call(path(tenant), {
      method: 'PUT',
      key,
      body: { url: 'https://hooks.example.com/', event_types: ['seal.signature.failed'] },
    });
    const { status, body } = await platform.call(`${path(tenant)}/test`, { method: 'POST', key });
    expect(status).toBe(202);
    expect(body).toMatchObject({ event_type: 'endpoint.test', module: 'seal', status: 'pending', attempt_count: 0 });
    const shown = await platform.call(`/webhook-deliveries/${String(body.id)}`, { key });
    expect(shown.body).toEqual({ ...body, attempts: [] });
  });

  it('needs an endpoint, and an enabled one', async () => {
    const tenant = await testTenant(store);
    const key = tenant.apiKey;
    expect((await platform.call(`${path(tenant)}/test`, { method: 'POST', key })).status).toBe(404);
    const body = { url: 'https://hooks.example.com/', enabled: false };
    await platform.call(path(tenant), { method: 'PUT', key, body });
    const refused = await platform.call(`${path(tenant)}/test`, { method: 'POST', key });
    expect(refused.body).toMatchObject({ status: 409, type: 'http://platform.test/problems/state-conflict' });
  });
});
