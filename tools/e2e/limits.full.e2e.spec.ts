import { redisInstalled, startRedis, type TestRedis, type TestStack } from '@constancia/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpOf, signUp, startDeployment } from './deployment.fixture.ts';

describe.each(['memory', 'redis'] as const)('the rate limit, counted in %s', (store) => {
  let redis: TestRedis | undefined;
  let stack: TestStack;
  const test = it.skipIf(store === 'redis' && !redisInstalled);

  beforeAll(async () => {
    if (store === 'redis') {
      if (!redisInstalled) return console.warn('skipped: redis-server is not installed');
      redis = await startRedis();
    }
    stack = await startDeployment({ redisUrl: redis?.url, apps: ['platform'] });
  });
  afterAll(async () => {
    await stack?.close();
    await redis?.kill();
  });

  test('lets exactly 120 of 1,000 concurrent calls pass, and each answer says how many are left', async () => {
    const { apiKey } = await signUp(stack);
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, async () => {
        const response = await httpOf(stack)(`${stack.baseUrl}/v1/billing/balance`, {
          headers: { 'X-API-Key': apiKey },
        });
        await response.arrayBuffer();
        return response;
      }),
    );
    const statuses = countBy(answers.map((answer) => answer.status));
    expect(statuses).toEqual({ 200: 120, 429: 880 });
    const left = answers
      .filter((answer) => answer.status === 200)
      .map((answer) => Number(answer.headers.get('x-ratelimit-remaining')));
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, index) => index));
    expect(answers.every((answer) => answer.headers.get('x-ratelimit-limit') === '120')).toBe(true);
    const refused = answers.find((answer) => answer.status === 429) as Response;
    const wait = Number(refused.headers.get('x-ratelimit-reset')) - Date.now() / 1000;
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThan(121);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  if (store === 'redis') {
    test('goes on without a 5xx when Redis disappears in the middle', async () => {
      const { apiKey } = await signUp(stack);
      const call = async () => {
        const response = await httpOf(stack)(`${stack.baseUrl}/v1/billing/balance`, {
          headers: { 'X-API-Key': apiKey },
        });
        await response.arrayBuffer();
        return response.status;
      };
      const statuses = [await call(), await call()];
      await redis?.kill();
      for (let i = 0; i < 60; i++) statuses.push(await call());
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(50);
    });
  }
});

function countBy(values: number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
