import { expect, it } from 'vitest';
import { RateLimiter } from './rate-limiter.ts';
import { storeConformance } from './store-conformance.fixture.ts';

storeConformance('limiter without Redis', async () => new RateLimiter());

it('is not degraded where no Redis is configured', () => {
  expect(new RateLimiter().degraded()).toBe(0);
});
