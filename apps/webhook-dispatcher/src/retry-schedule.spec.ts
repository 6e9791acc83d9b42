import { describe, expect, it } from 'vitest';
import { RETRY_DELAYS_MS, retryAfterMs, retryDelayMs } from './retry-schedule.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('the retry schedule', () => {
  it('is at once, then 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 6 h, 12 h, 24 h, 24 h: about three days', () => {
    expect(RETRY_DELAYS_MS.map((ms) => ms / 1_000)).toEqual([
      5, 30, 120, 600, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400, 86_400,
    ]);
    const days = RETRY_DELAYS_MS.reduce((sum, ms) => sum + ms) / 86_400_000;
    expect(days).toBeGreaterThan(2.8);
    expect(days).toBeLessThan(3.1);
  });

  it.each([
    [0, 0, 5_000],
    [0, 0.5, 2_500],
    [0, 0.9999, 1],
    [1, 0, 30_000],
    [10, 0, 86_400_000],
    [11, 0, null],
    [12, 0.3, null],
  ])('after %i attempts before this one and random %d waits %j ms', (attemptsBefore, random, expected) =>
    expect(retryDelayMs(attemptsBefore, random)).toBe(expected),
  );

  it('spreads over the whole step and never over more', () => {
    const waits = Array.from({ length: 2_000 }, () => retryDelayMs(2, Math.random()) as number);
    expect(Math.max(...waits)).toBeLessThanOrEqual(120_000);
    expect(Math.min(...waits)).toBeGreaterThan(0);
    const mean = waits.reduce((sum, wait) => sum + wait) / waits.length;
    expect(Math.abs(mean - 60_000)).toBeLessThan(6_000);
  });
});

describe('Retry-After', () => {
  it.each([
    ['30', 30_000],
    [' 30 ', 30_000],
    ['0', null],
    ['3600', 3_600_000],
    ['86400', 3_600_000],
    ['99999999999', null],
    ['Sat, 21 Nov 2026 12:01:00 GMT', 60_000],
    ['Sat, 21 Nov 2026 11:59:00 GMT', null],
    ['Sun, 22 Nov 2026 12:00:00 GMT', 3_600_000],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['', null],
    [null, null],
  ])('%j is %j ms', (header, expected) => expect(retryAfterMs(header, NOW)).toBe(expected));
});
