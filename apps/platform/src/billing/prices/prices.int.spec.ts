import { PRICE } from '@constancia/contracts';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../../running-platform.fixture.ts';
import type { PriceList } from './list-prices.ts';

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

it('GET /v1/billing/prices lists every operation that has a price, with the price that is charged', async () => {
  const { apiKey } = await testTenant(database);
  const { status, body } = await platform.call<PriceList>('/v1/billing/prices', { key: apiKey });
  expect(status).toBe(200);
  expect(Object.fromEntries(body.data.map(({ module, operation, credits }) => [`${module} ${operation}`, credits]))).toEqual({
    'seal signature': PRICE.signature,
    'seal envelope': PRICE.envelope,
    'compliance screening': PRICE.screening,
    'identity kyc': PRICE.kyc,
    'identity kyc_reuse': PRICE.kycReuse,
  }); // prettier-ignore
  expect(body.data).toHaveLength(Object.keys(PRICE).length);
  expect(body.data.filter(({ available }) => !available).map(({ operation }) => operation)).toEqual([]);
});

it('GET /v1/billing/prices needs a key', async () => {
  expect((await platform.call('/v1/billing/prices')).status).toBe(401);
});
