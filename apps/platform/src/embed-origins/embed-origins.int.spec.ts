import { testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../running-platform.fixture.ts';

const SHOP = 'https://shop.example';

let store: TestDatabase;
let platform: RunningPlatform;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningPlatform(store);
});
afterAll(async () => {
  await platform?.close();
  await store?.drop();
});

const put = ({ id, apiKey: key }: TestTenant, origins: string[]) =>
  platform.call<{ origins?: string[]; errors?: object[] }>(`/tenants/${id}/embed-origins`, {
    ...{ method: 'PUT', key, body: { origins } },
  });

describe('the origins that may embed', () => {
  it('are exact, of https or of this machine, at most 20, and replace each other in the audit log', async () => {
    const tenant = await testTenant(store);
    const { id, apiKey: key } = tenant;
    await put(tenant, [SHOP]);
    const refused = [
      'https://*.example.com',
      'https://shop.example;script-src',
      'https://shop.example/',
      'https://shop.example/path',
      'https://SHOP.example',
      'https://user@shop.example',
      'https://shop.example:443',
      'http://shop.example',
      'http://localhost.evil.example',
      'null',
      'data:',
      '*',
    ];
    const answer = await put(tenant, refused);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toHaveLength(refused.length);
    const origins = [SHOP, 'http://localhost:8080', 'https://shop.example:8443', 'http://127.0.0.1'];
    expect((await put(tenant, origins)).body).toEqual({ origins });
    expect((await platform.call(`/tenants/${id}/embed-origins`, { key })).body).toEqual({ origins });
    const tooMany = Array.from({ length: 21 }, (_, n) => `https://a${n}.example`);
    expect((await put(tenant, tooMany)).status).toBe(400);
    const { body } = await platform.call<{ data: object[] }>('/v1/audit-log?action=embed_origins.changed', { key });
    expect(body.data[0]).toMatchObject({ before: { origins: [SHOP] }, after: { origins } });
  });

  it('are those of the caller alone', async () => {
    const [tenant, other] = [await testTenant(store), await testTenant(store)];
    const path = `/tenants/${other.id}/embed-origins`;
    const { apiKey: key } = tenant;
    expect((await platform.call(path, { key })).status).toBe(404);
    expect((await platform.call(path, { method: 'PUT', key, body: { origins: [] } })).status).toBe(404);
  });
});
