import { SecretBox, uuidv7 } from '@constancia/kernel';
import { TEST_SECRETS_KEY, testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';
import { webhookSecretContext } from './webhook-secret.ts';

interface RotatedSecret {
  webhook_secret: string;
  rotated_at: string;
  previous_secret_expires_at: string;
}

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

/** The webhook secrets of a tenant as the store has them, opened. */
async function storedSecrets(tenantId: string): Promise<{ current: string; previous: string | null; expiresAt: Date }> {
  const [row] = await database.query<{ webhook_secret: Buffer; previous: Buffer | null; expires_at: Date }>(
    `select webhook_secret, previous_webhook_secret as previous, previous_webhook_secret_expires_at as expires_at
       from platform.tenant where id = $1`,
    [tenantId],
  );
  if (!row) throw new Error('no such tenant');
  const open = (sealed: Buffer) =>
    SecretBox.fromText(TEST_SECRETS_KEY).open(sealed, webhookSecretContext(tenantId)).toString();
  return {
    current: open(row.webhook_secret),
    previous: row.previous && open(row.previous),
    expiresAt: row.expires_at,
  };
}

describe('GET /tenants/{id}', () => {
  it('shows the tenant and its keys, and no secret', async () => {
    const tenant = await testTenant(database);
    const { status, body, text } = await platform.call(`/tenants/${tenant.id}`, { key: tenant.apiKey });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      tenant_id: tenant.id,
      slug: tenant.slug,
      display_name: `Tenant ${tenant.slug}`,
      owner_email: `owner@${tenant.slug}.example`,
      plan: 'sandbox',
      environment: 'sandbox',
      locale: 'es-CO',
      api_keys: [{ prefix: tenant.apiKey.slice(0, 9), status: 'active', expires_at: null }],
      webhook_secret_rotated_at: null,
      previous_webhook_secret_expires_at: null,
    });
    expect(text).not.toContain(tenant.apiKey);
    expect(text).not.toContain(tenant.webhookSecret);
    expect(text).not.toMatch(/hash/);
  });

  it('takes the id in any case', async () => {
    const tenant = await testTenant(database);
    const { status, body } = await platform.call(`/tenants/${tenant.id.toUpperCase()}`, { key: tenant.apiKey });
    expect(status).toBe(200);
    expect(body.tenant_id).toBe(tenant.id);
  });

  it('remembers the language that sign-up asked for', async () => {
    const body = {
      plan: 'sandbox',
      slug: `en-${Date.now().toString(36)}`,
      display_name: 'A',
      owner_email: 'a@b.example',
    };
    const signedUp = await platform.call<{ tenant_id: string; api_key: string }>('/signup', {
      body,
      headers: { 'accept-language': 'en-US,en;q=0.9,es;q=0.8' },
    });
    const { tenant_id, api_key } = signedUp.body;
    expect((await platform.call(`/tenants/${tenant_id}`, { key: api_key })).body.locale).toBe('en');
  });
});

describe('a tenant id that is not the caller’s own', () => {
  it.each([
    ['GET', ''],
    ['POST', '/rotate-api-key'],
    ['POST', '/rotate-webhook-secret'],
  ])('is 404 on %s /tenants/{id}%s, byte-identical for foreign, unknown and malformed ids', async (method, rest) => {
    const [caller, stranger] = await Promise.all([testTenant(database), testTenant(database)]);
    const before = await database.query('select * from platform.api_key where tenant_id = $1', [stranger.id]);
    const answers = await Promise.all(
      [stranger.id, uuidv7(), 'not-an-id', `${caller.id}x`, "'; drop table platform.tenant; --"].map(async (id) => {
        const path = `/tenants/${encodeURIComponent(id)}${rest}`;
        const { status, text, body } = await platform.call(path, { method, key: caller.apiKey });
        const { request_id, instance } = body as { request_id: string; instance: string };
        return { status, text: text.replace(request_id, '').replace(instance, '') };
      }),
    );
    expect(answers[0]?.status).toBe(404);
    expect(answers[0]?.text).toContain('/problems/not-found');
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await database.query('select * from platform.api_key where tenant_id = $1', [stranger.id])).toEqual(before);
  });
});

describe('POST /tenants/{id}/rotate-webhook-secret', () => {
  const rotate = (id: string, key: string, body?: unknown) =>
    platform.call<RotatedSecret>(`/tenants/${id}/rotate-webhook-secret`, { method: 'POST', key, body });

  it('keeps the former secret for a day when nothing else is said', async () => {
    const tenant = await testTenant(database);
    const { status, body } = await rotate(tenant.id, tenant.apiKey);

    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['previous_secret_expires_at', 'rotated_at', 'webhook_secret']);
    expect(body.webhook_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Date.parse(body.previous_secret_expires_at) - Date.parse(body.rotated_at)).toBe(86_400_000);
    const stored = await storedSecrets(tenant.id);
    expect(stored).toEqual({
      current: body.webhook_secret,
      previous: tenant.webhookSecret,
      expiresAt: new Date(body.previous_secret_expires_at),
    });
    const shown = await platform.call(`/tenants/${tenant.id}`, { key: tenant.apiKey });
    expect(shown.body).toMatchObject({
      webhook_secret_rotated_at: body.rotated_at,
      previous_webhook_secret_expires_at: body.previous_secret_expires_at,
    });
  });

  it('with grace 0 forgets the former secret at once', async () => {
    const tenant = await testTenant(database);
    const { body } = await rotate(tenant.id, tenant.apiKey, { grace_seconds: 0 });

    expect(body.previous_secret_expires_at).toBe(body.rotated_at);
    expect(await storedSecrets(tenant.id)).toMatchObject({ current: body.webhook_secret, previous: null });
    const shown = await platform.call(`/tenants/${tenant.id}`, { key: tenant.apiKey });
    expect(shown.body.previous_webhook_secret_expires_at).toBeNull();
  });

  it('twice within a grace keeps the last two', async () => {
    const tenant = await testTenant(database);
    const first = await rotate(tenant.id, tenant.apiKey, { grace_seconds: 600 });
    const second = await rotate(tenant.id, tenant.apiKey, { grace_seconds: 600 });
    expect(await storedSecrets(tenant.id)).toMatchObject({
      current: second.body.webhook_secret,
      previous: first.body.webhook_secret,
    });
  });

  it('refuses a grace beyond a week', async () => {
    const tenant = await testTenant(database);
    const { status, body } = await rotate(tenant.id, tenant.apiKey, { grace_seconds: 604_801 });
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ pointer: '/grace_seconds', code: 'out_of_range' }] });
  });

  it('does not accept a recovery token', async () => {
    const tenant = await testTenant(database);
    const { status } = await platform.call(`/tenants/${tenant.id}/rotate-webhook-secret`, {
      method: 'POST',
      headers: { authorization: `Bearer rec_${'a'.repeat(43)}` },
    });
    expect(status).toBe(401);
  });
});
