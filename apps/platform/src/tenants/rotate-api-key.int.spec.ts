import { randomUUID } from 'node:crypto';
import { uuidv7 } from '@constancia/kernel';
import { eventually, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';

interface Rotated {
  tenant_id: string;
  api_key: string;
  rotated_at: string;
  previous_key_expires_at: string;
}

const DAY_MS = 86_400_000;

let database: TestDatabase;
let platform: RunningPlatform;
/** A second process: what the first one changes must reach it. */
let other: RunningPlatform;

beforeAll(async () => {
  database = await testDatabase();
  [platform, other] = await Promise.all([runningPlatform(database), runningPlatform(database)]);
});

afterAll(async () => {
  await Promise.all([platform?.close(), other?.close()]);
  await database?.drop();
});

const rotate = (id: string, key: string, body?: unknown) =>
  platform.call<Rotated>(`/tenants/${id}/rotate-api-key`, { method: 'POST', key, body });

const statusOf = async (key: string, of = platform): Promise<number> =>
  (await of.call('/v1/billing/balance', { key })).status;

/** Moves the end of every grace of a tenant, in place of waiting for it; announced to the caches as a rotation does. */
async function graceEnds(tenantId: string): Promise<void> {
  await database.query(
    `with changed as (
       update platform.api_key set expires_at = now() - interval '1 ms' where tenant_id = $1 and status = 'expiring' returning key_hash
     ) select pg_notify('api_key_changed', encode(key_hash, 'hex')) from changed`,
    [tenantId],
  );
}

describe('POST /tenants/{id}/rotate-api-key', () => {
  it('without a body keeps the former key for a day', async () => {
    const tenant = await testTenant(database);
    const { status, body } = await rotate(tenant.id, tenant.apiKey);

    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['api_key', 'previous_key_expires_at', 'rotated_at', 'tenant_id']);
    expect(body.tenant_id).toBe(tenant.id);
    expect(body.api_key).toMatch(/^test_[0-9A-Za-z]{49}$/);
    expect(body.api_key).not.toBe(tenant.apiKey);
    expect(Date.parse(body.previous_key_expires_at) - Date.parse(body.rotated_at)).toBe(DAY_MS);
    expect(Math.abs(Date.parse(body.rotated_at) - Date.now())).toBeLessThan(5_000);
    expect(await statusOf(body.api_key)).toBe(200);
    expect(await statusOf(tenant.apiKey)).toBe(200);
  });

  it('with a grace keeps the former key until the grace is over, and not longer', async () => {
    const tenant = await testTenant(database);
    const { body } = await rotate(tenant.id, tenant.apiKey, { grace_seconds: 2 });
    expect(Date.parse(body.previous_key_expires_at) - Date.parse(body.rotated_at)).toBe(2_000);

    expect(await statusOf(tenant.apiKey)).toBe(200);
    expect(await statusOf(tenant.apiKey, other)).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, Date.parse(body.previous_key_expires_at) - Date.now() + 50));
    expect(await statusOf(tenant.apiKey)).toBe(401);
    expect(await statusOf(tenant.apiKey, other)).toBe(401);
    expect(await statusOf(body.api_key)).toBe(200);
  });

  it('with grace 0 ends the former key within a second in every process', async () => {
    const tenant = await testTenant(database);
    expect(await statusOf(tenant.apiKey)).toBe(200);
    expect(await statusOf(tenant.apiKey, other)).toBe(200); // remembered there now

    const { body } = await rotate(tenant.id, tenant.apiKey, { grace_seconds: 0 });
    expect(body.previous_key_expires_at).toBe(body.rotated_at);
    await eventually(async () => expect(await statusOf(tenant.apiKey)).toBe(401), 1_000, 20);
    await eventually(async () => expect(await statusOf(tenant.apiKey, other)).toBe(401), 1_000, 20);
    expect(await statusOf(body.api_key, other)).toBe(200);
  });

  it('with grace 0 also ends an earlier grace', async () => {
    const tenant = await testTenant(database);
    const first = await rotate(tenant.id, tenant.apiKey, { grace_seconds: 604_800 });
    const second = await rotate(tenant.id, first.body.api_key, { grace_seconds: 0 });

    await eventually(
      async () => {
        expect(await statusOf(tenant.apiKey)).toBe(401);
        expect(await statusOf(first.body.api_key)).toBe(401);
      },
      1_000,
      20,
    );
    expect(await statusOf(second.body.api_key)).toBe(200);
  });

  it('with a grace leaves an earlier grace as it was promised', async () => {
    const tenant = await testTenant(database);
    const first = await rotate(tenant.id, tenant.apiKey, { grace_seconds: 600 });
    const second = await rotate(tenant.id, first.body.api_key, { grace_seconds: 60 });

    const { body } = await platform.call<{ api_keys: { status: string; expires_at: string | null }[] }>(
      `/tenants/${tenant.id}`,
      { key: second.body.api_key },
    );
    expect(body.api_keys).toMatchObject([
      { status: 'active', expires_at: null },
      { status: 'expiring', expires_at: second.body.previous_key_expires_at },
      { status: 'expiring', expires_at: first.body.previous_key_expires_at },
    ]);
  });

  it('is refused to a key in its grace: the holder of a replaced key cannot take over the tenant', async () => {
    const tenant = await testTenant(database);
    const first = await rotate(tenant.id, tenant.apiKey, { grace_seconds: 60 });
    const takeover = await rotate(tenant.id, tenant.apiKey, { grace_seconds: 0 });
    expect(takeover.status).toBe(403);
    expect(takeover.body).toMatchObject({ type: 'http://platform.test/problems/forbidden' });
    expect(await statusOf(tenant.apiKey)).toBe(200);
    expect(await statusOf(first.body.api_key)).toBe(200);

    await graceEnds(tenant.id);
    await eventually(async () => expect((await rotate(tenant.id, tenant.apiKey)).status).toBe(401), 1_000, 20);
    expect(await statusOf(first.body.api_key)).toBe(200);
  });

  it('is repeated with its Idempotency-Key by the key in its grace: the same answer, and no second rotation', async () => {
    const tenant = await testTenant(database);
    const once = (headers: Record<string, string>, body?: unknown) =>
      platform.call<Rotated>(`/tenants/${tenant.id}/rotate-api-key`, {
        ...{ method: 'POST', key: tenant.apiKey, headers, body },
      });
    const headers = { 'idempotency-key': randomUUID() };
    const first = await once(headers);
    const again = await once(headers);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await statusOf(first.body.api_key)).toBe(200);

    expect((await once({ 'idempotency-key': randomUUID() })).status).toBe(403);
    expect((await once(headers, { grace_seconds: 0 })).status).toBe(422);
    const [row] = await database.query<{ keys: number; stored: string }>(
      `select (select count(*)::int from platform.api_key where tenant_id = $1) as keys,
              (select encode(body, 'escape') from platform.idempotency_key where tenant_id = $1) as stored`,
      [tenant.id],
    );
    expect(row?.keys).toBe(2);
    expect(row?.stored).not.toContain(first.body.api_key);
  });

  it('of two at once with one Idempotency-Key happens once, also without grace', async () => {
    const tenant = await testTenant(database);
    const headers = { 'idempotency-key': randomUUID() };
    const call = { method: 'POST', key: tenant.apiKey, headers, body: { grace_seconds: 0 } };
    const answers = await Promise.all(
      [1, 2].map(() => platform.call<Rotated>(`/tenants/${tenant.id}/rotate-api-key`, call)),
    );
    const keys = answers.filter(({ status }) => status === 200).map(({ body }) => body.api_key);
    expect(new Set(keys).size).toBe(1);
    expect(await statusOf(keys[0] ?? '')).toBe(200);
  });

  it('of two at once without grace lets one win: the key that was handed out stays', async () => {
    const tenant = await testTenant(database);
    const body = { grace_seconds: 0 };
    const answers = await Promise.all([rotate(tenant.id, tenant.apiKey, body), rotate(tenant.id, tenant.apiKey, body)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const winner = answers.find(({ status }) => status === 200);
    expect(await statusOf(winner?.body.api_key ?? '')).toBe(200);
    const [row] = await database.query<{ valid: number }>(
      `select count(*)::int as valid from platform.api_key where tenant_id = $1 and status <> 'revoked'`,
      [tenant.id],
    );
    expect(row?.valid).toBe(1);
  });

  it.each([-1, 604_801, 1.5, '60', null, true])('refuses a grace of %j', async (graceSeconds) => {
    const tenant = await testTenant(database);
    const { status, body } = await rotate(tenant.id, tenant.apiKey, { grace_seconds: graceSeconds });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ pointer: '/grace_seconds' }] });
    expect(await statusOf(tenant.apiKey)).toBe(200);
  });

  it('needs a key, and that of the same tenant', async () => {
    const [tenant, stranger] = await Promise.all([testTenant(database), testTenant(database)]);
    expect((await platform.call(`/tenants/${tenant.id}/rotate-api-key`, { method: 'POST' })).body).toMatchObject({
      status: 401,
      type: 'http://platform.test/problems/invalid-api-key',
    });
    const foreign = await rotate(tenant.id, stranger.apiKey);
    const unknown = await rotate(uuidv7(), stranger.apiKey);
    expect(foreign.status).toBe(404);
    expect(unknown.status).toBe(404);
    expect(await statusOf(tenant.apiKey)).toBe(200);
  });
});
