import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../../../running-platform.fixture.ts';

interface ClientBody extends Record<string, unknown> {
  client_id: string;
  client_secret?: string;
  errors?: { pointer: string }[];
}

let store: TestDatabase;
let platform: RunningPlatform;
let tenant: TestTenant;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningPlatform(store);
});
afterAll(async () => {
  await platform?.close();
  await store?.drop();
});
beforeEach(async () => {
  tenant = await testTenant(store);
});

const call = <Body = ClientBody>(path: string, method = 'GET', body?: unknown, as = tenant, on = platform) =>
  on.call<Body>(`/v1/oidc/clients${path}`, { method, body, key: as.apiKey });
const CALLBACK = 'https://shop.example/callback';
const create = (body: object = {}) =>
  call('', 'POST', { name: 'Shop', type: 'web', redirect_uris: [CALLBACK], scopes: ['openid'], ...body });
const auditLog = async () => {
  const { body } = await platform.call<{ data: { action: string }[] }>('/v1/audit-log', { key: tenant.apiKey });
  return body.data;
};

describe('/v1/oidc/clients', () => {
  it('registers a client, shows its secret once, changes, lists and deletes it, and the audit log says so without a secret', async () => {
    const created = await create();
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      ...{ name: 'Shop', type: 'web', token_endpoint_auth_method: 'client_secret_basic', jwks: null },
      ...{ redirect_uris: [CALLBACK], post_logout_redirect_uris: [], dpop_required: false, par_required: false },
    });
    const { client_secret: secret, ...rest } = created.body;
    expect(secret).toMatch(/^ocs_[0-9A-Za-z]{49}$/);
    const { client_id: id } = created.body;
    expect((await call(`/${id}`)).body).toEqual(rest);
    const other = await create({ name: 'Kiosk', type: 'spa' });
    expect(other.body).toMatchObject({ token_endpoint_auth_method: 'none' });
    expect(other.body).not.toHaveProperty('client_secret');
    const changed = await call(`/${id}`, 'PATCH', { name: 'Store', scopes: ['openid', 'kyc'], par_required: true });
    expect(changed.body).toMatchObject({ name: 'Store', scopes: ['openid', 'kyc'], par_required: true });
    const first = await call<{ data: ClientBody[]; next_cursor: string }>('?limit=1');
    expect(first.body.data.map(({ name }) => name)).toEqual(['Kiosk']);
    const second = await call<{ data: ClientBody[] }>(`?limit=1&cursor=${first.body.next_cursor}`);
    expect(second.body.data).toEqual([changed.body]);
    const rotated = await call<{ client_secret: string }>(`/${id}/rotate-secret`, 'POST', { grace_seconds: 0 });
    expect(rotated.status).toBe(200);
    expect(rotated.body.client_secret).not.toBe(secret);
    expect((await call(`/${id}`, 'DELETE')).status).toBe(204);
    expect((await call(`/${id}`)).status).toBe(404);
    const log = await auditLog();
    expect(log.slice(0, 5).map(({ action }) => action)).toEqual([
      ...['oidc_client.deleted', 'oidc_client.secret_rotated', 'oidc_client.changed'],
      ...['oidc_client.created', 'oidc_client.created'],
    ]);
    expect(JSON.stringify(log)).not.toContain('ocs_');
  });

  it.each([
    'http://shop.example/callback',
    'https://shop.example/callback#f',
    'https://*.example/callback',
    'https://SHOP.example/callback',
    'https://shop.example:443/callback',
    'https://shop.example/x/../callback',
    'https://user@shop.example/callback',
    'https://shop.example',
    'javascript:alert(1)',
    'custom.scheme:/callback',
    'http://localhost.evil.example/callback',
    'https://shop.example/call back',
    'https://shop.example/call\\back',
  ])('takes no address but an exact one of https: %s', async (address) => {
    expect((await create({ redirect_uris: [CALLBACK, address] })).body.errors?.[0]?.pointer).toBe('/redirect_uris/1');
    const after = await create({ post_logout_redirect_uris: [address] });
    expect(after.body.errors?.[0]?.pointer).toBe('/post_logout_redirect_uris/0');
  });

  it('takes http://localhost in a sandbox', async () => {
    const body = { redirect_uris: ['http://localhost:3000/callback'] };
    expect((await create(body)).status).toBe(201);
  });

  it('takes a method that fits the type, keys that are public, the scope openid, and 1 to 20 addresses', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const [jwk, secret] = [await exportJWK(publicKey), await exportJWK(privateKey)];
    const keys = (...given: object[]) => ({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: given },
    });
    const pointer = async (body: object) => (await create(body)).body.errors?.[0]?.pointer ?? 'none';
    expect(await pointer({ type: 'web', token_endpoint_auth_method: 'none' })).toBe('/token_endpoint_auth_method');
    expect(await pointer({ type: 'spa', token_endpoint_auth_method: 'client_secret_basic' })).toBe('/token_endpoint_auth_method'); // prettier-ignore
    expect(await pointer({ token_endpoint_auth_method: 'private_key_jwt' })).toBe('/jwks');
    expect(await pointer({ jwks: { keys: [jwk] } })).toBe('/jwks');
    expect(await pointer(keys(secret))).toBe('/jwks/keys/0');
    expect(await pointer(keys({ kty: 'oct', k: 'AAAA' }))).toBe('/jwks/keys/0');
    expect(await pointer({ scopes: ['profile'] })).toBe('/scopes');
    expect(await pointer({ scopes: ['openid', 'all'] })).toBe('/scopes');
    expect(await pointer({ redirect_uris: [] })).toBe('/redirect_uris');
    const many = Array.from({ length: 21 }, (_, n) => `https://a${n}.example/`);
    expect(await pointer({ redirect_uris: many })).toBe('/redirect_uris');
    const created = await create(keys(jwk));
    expect(created.body).toMatchObject({ jwks: { keys: [jwk] } });
    expect((await call(`/${created.body.client_id}/rotate-secret`, 'POST')).status).toBe(409);
  });

  it('gives a name once, also to 8 requests at once', async () => {
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => create()))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    const other = await create({ name: 'Other' });
    const renamed = await call<{ type: string }>(`/${other.body.client_id}`, 'PATCH', { name: 'Shop' });
    expect([renamed.status, renamed.body.type.split('/').at(-1)]).toEqual([409, 'duplicate-key']);
  });

  it('is the tenant’s alone', async () => {
    const { client_id: id } = (await create()).body;
    const other = await testTenant(store);
    for (const [path, method, body] of [
      [`/${id}`, 'GET', undefined],
      [`/${id}`, 'PATCH', { name: 'x' }],
      [`/${id}`, 'DELETE', undefined],
      [`/${id}/rotate-secret`, 'POST', {}],
    ] as const) {
      expect([method, (await call(path, method, body, other)).status]).toEqual([method, 404]);
    }
    expect((await call<{ data: object[] }>('', 'GET', undefined, other)).body.data).toEqual([]);
    expect((await call(`/${id}`)).status).toBe(200);
  });
});
