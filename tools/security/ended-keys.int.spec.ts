import { sleep } from '@constancia/kernel';
import { ContractChecker, testDatabase, type TestDatabase, testTenant, type TestTenant } from '@constancia/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NewKeyView } from '../../apps/platform/src/api-keys/api-key-view.ts';
import { runningCompliance } from '../../apps/compliance/src/running-compliance.fixture.ts';
import { type RunningPlatform, runningPlatform } from '../../apps/platform/src/running-platform.fixture.ts';
import { runningSigning } from '../../apps/signing/src/running-signing.fixture.ts';

const SCOPES = ['billing:read', 'compliance:read', 'signing:read'];
const MS = 1_000;

let store: TestDatabase;
let platform: RunningPlatform;
let hosts: { url: string; path: string; close(): Promise<void> }[];
let tenant: TestTenant;

beforeAll(async () => {
  store = await testDatabase();
  platform = await runningPlatform(store);
  hosts = [
    { ...platform, path: '/v1/billing/balance' },
    { ...(await runningCompliance(store)), path: '/v1/screenings' },
    {
      ...(await runningSigning(store, { check: (seen) => ContractChecker.of('signing').check(seen) })),
      path: '/v1/templates',
    },
  ];
});
afterAll(async () => {
  for (const host of hosts ?? []) await host.close();
  await store?.drop();
});
beforeEach(async () => {
  tenant = await testTenant(store);
});

const statuses = (key: string): Promise<number[]> =>
  Promise.all(
    hosts.map(async ({ url, path }) => {
      const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } });
      await response.arrayBuffer();
      return response.status;
    }),
  );
const call = <Body>(method: string, path: string, body?: unknown) =>
  platform.call<Body>(`/v1/api-keys${path}`, { method, key: tenant.apiKey, body });
const keyThatAllKnow = async (more: object = {}): Promise<NewKeyView> => {
  const { body } = await call<NewKeyView>('POST', '', { name: 'x', scopes: SCOPES, ...more });
  expect(await statuses(body.api_key)).toEqual([200, 200, 200]); // each remembers it now
  return body;
};

/** How long after now the last host still answered 200, in milliseconds. */
async function lastAccepted(key: string, refused: number): Promise<number> {
  const start = performance.now();
  let accepted = 0;
  while (performance.now() - start < 5 * MS) {
    const begun = performance.now() - start;
    const seen = await statuses(key);
    if (seen.every((status) => status === refused)) return accepted;
    if (seen.includes(200)) accepted = begun;
    await sleep(20);
  }
  return Infinity;
}

describe('a key that every host remembers is refused by all three within a second', () => {
  it('once it is deleted', async () => {
    const key = await keyThatAllKnow();
    expect((await call('DELETE', `/${key.id}`)).status).toBe(204);
    expect(await lastAccepted(key.api_key, 401)).toBeLessThan(MS);
  });

  it('once it is rotated without a grace', async () => {
    const key = await keyThatAllKnow();
    expect((await call('POST', `/${key.id}/rotate`, { grace_seconds: 0 })).status).toBe(200);
    expect(await lastAccepted(key.api_key, 401)).toBeLessThan(MS);
  });

  it('once its networks leave the caller out', async () => {
    const key = await keyThatAllKnow();
    expect((await call('PATCH', `/${key.id}`, { allowed_cidrs: ['192.0.2.0/24'] })).status).toBe(200);
    expect(await lastAccepted(key.api_key, 401)).toBeLessThan(MS);
  });

  it('once its scopes are taken away', async () => {
    const key = await keyThatAllKnow();
    expect((await call('PATCH', `/${key.id}`, { scopes: ['webhooks:read'] })).status).toBe(200);
    expect(await lastAccepted(key.api_key, 403)).toBeLessThan(MS);
  });

  it('when it expires', async () => {
    const end = Date.now() + 3 * MS;
    const key = await keyThatAllKnow({ expires_at: new Date(end).toISOString() });
    await sleep(end - Date.now());
    expect(await lastAccepted(key.api_key, 401)).toBeLessThan(MS);
  });
});
