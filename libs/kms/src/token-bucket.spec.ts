import { describe, expect, it } from 'vitest';
import { TokenBucket } from './token-bucket.ts';

describe('a limit of calls a second', () => {
  it.each([20, 100, 400])('of %d is not exceeded in any second, and is nearly reached', async (perSecond) => {
    let clock = 0;
    const turns: number[] = [];
    // take() says how long a caller has to wait by refusing every shorter deadline.
    const bucket = new TokenBucket(perSecond, () => clock);
    while (clock < 5_000) {
      if (await bucket.take(0)) turns.push(clock);
      else clock += 1;
    }
    const mostInOneSecond = Math.max(
      ...turns.map((start, nth) => turns.slice(nth).filter((at) => at < start + 1_000).length),
    );
    expect(mostInOneSecond).toBeLessThanOrEqual(perSecond);
    expect(turns.length / 5).toBeGreaterThan(perSecond * 0.9);
  });
});
