import { RateLimiter } from '@constancia/rate-limit';
import { afterEach, describe, expect, it } from 'vitest';
import { ReadBudget } from './read-budget.ts';

const [TENANT, OTHER] = ['tenant', 'other'];
const limiters: RateLimiter[] = [];

afterEach(async () => {
  await Promise.all(limiters.splice(0).map((limiter) => limiter.close()));
});

function budgetOf(seconds: number): { budget: ReadBudget; refused: string[] } {
  const limiter = new RateLimiter();
  limiters.push(limiter);
  const refused: string[] = [];
  return { budget: new ReadBudget(limiter, seconds, (policy) => refused.push(policy)), refused };
}

/** A charge is counted without anybody waiting for it. */
const counted = () => new Promise((resolve) => setImmediate(resolve));

describe('the budget of reads', () => {
  it('refuses a tenant whose reads used it up, says how long to wait and what to do, and no other tenant', async () => {
    const { budget, refused } = budgetOf(2);
    budget.meter(TENANT).add(900);
    await counted();
    const begun = budget.meter(TENANT);
    begun.begin().end();
    begun.add(900);
    budget.meter(TENANT).add(300);
    await counted();
    expect(() => budget.meter(TENANT).begin()).toThrow(
      expect.objectContaining({
        slug: 'read-budget-exceeded',
        status: 429,
        detail: expect.stringMatching(/used 2 s .* Wait \d+ s, then ask for less: a shorter period/),
        headers: { 'Retry-After': expect.stringMatching(/^(59|6\d)$/) },
      }),
    );
    expect(() => begun.begin()).not.toThrow(); // it goes on
    expect(refused).toEqual(['reads']);
    expect(() => budget.meter(OTHER).begin()).not.toThrow();
  });

  it('charges a read for all of its statements, and nothing for one that takes less than 50 ms', async () => {
    const { budget } = budgetOf(1);
    const read = () => budget.meter(TENANT);
    for (let nth = 0; nth < 1_000; nth++) budget.meter(TENANT).add(49);
    await counted();
    expect(() => budget.meter(TENANT).begin()).not.toThrow();
    const reads = [read(), read(), read()];
    for (let nth = 0; nth < 8; nth++) for (const each of reads) each.add(49);
    await counted();
    expect(() => read().begin()).toThrow('used 1 s');
  });

  it('charges half of the budget for one read at most, however long it is', async () => {
    const { budget } = budgetOf(2);
    const exported = budget.meter(TENANT);
    for (let nth = 0; nth < 100; nth++) exported.add(1_000);
    await counted();
    expect(() => budget.meter(TENANT).begin()).not.toThrow();
    budget.meter(TENANT).add(1_000);
    await counted();
    expect(() => budget.meter(TENANT).begin()).toThrow('used 2 s');
  });

  it('reserves for what runs: what begins meanwhile may take less', () => {
    const { budget } = budgetOf(30);
    const begin = () => budget.meter(TENANT).begin();
    const running = [begin(), begin(), begin(), begin()];
    expect(running.map(({ statementTimeoutMs }) => statementTimeoutMs)).toEqual([20_000, 10_000, 5_000, 5_000]);
    for (const unit of running) unit.end();
    expect(begin().statementTimeoutMs).toBe(20_000);
    expect(budget.meter(OTHER).begin().statementTimeoutMs).toBe(20_000);
  });
});
