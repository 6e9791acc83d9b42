import { describe, expect, it } from 'vitest';
import { backoffMs, retry } from './retry.ts';

const failingTimes = (times: number) => {
  const attempts: number[] = [];
  const work = (attempt: number) => {
    attempts.push(attempt);
    return attempt > times ? Promise.resolve('done') : Promise.reject(new Error(`attempt ${attempt}`));
  };
  return { attempts, work };
};

describe('a pause between attempts', () => {
  it.each([
    [1, 100],
    [2, 200],
    [5, 1_600],
    [6, 2_000],
    [5_000, 2_000],
  ])('after attempt %i is %i ms', (attempt, ms) => {
    expect(backoffMs(attempt, { firstMs: 100, longestMs: 2_000 })).toBe(ms);
  });

  it('is shorter by a random part of its share', () => {
    const backoff = { firstMs: 1_000, longestMs: 8_000, jitter: 0.2 };
    expect([backoffMs(2, backoff, 0), backoffMs(2, backoff, 0.5), backoffMs(2, backoff, 1)]).toEqual([
      1_600, 1_800, 2_000,
    ]);
  });
});

describe('work that is repeated', () => {
  it('ends with the first attempt that succeeds', async () => {
    const { attempts, work } = failingTimes(2);
    await expect(retry(work, { pauseMs: () => 0 })).resolves.toBe('done');
    expect(attempts).toEqual([1, 2, 3]);
  });

  it('fails with the last error when no further attempt is allowed', async () => {
    const { attempts, work } = failingTimes(9);
    await expect(retry(work, { pauseMs: (_, attempt) => (attempt < 3 ? 1 : null) })).rejects.toThrow('attempt 3');
    expect(attempts).toHaveLength(3);
  });

  it('is not begun again once the signal has aborted, and the pause ends with it', async () => {
    const stop = new AbortController();
    const { attempts, work } = failingTimes(9);
    const ended = retry(work, { pauseMs: () => 60_000, signal: stop.signal });
    await Promise.resolve();
    stop.abort();
    await expect(ended).rejects.toThrow('attempt 1');
    expect(attempts).toHaveLength(1);
  });
});
