import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RETRY_DELAYS_MS, retryAfterMs, retryDelayMs } from './retry-schedule.ts';

/** What Math.random gives. */
const RANDOM = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
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
    [0, 0, 4_000],
    [0, 0.5, 5_000],
    [0, 0.9999, 6_000],
    [1, 0.5, 30_000],
    [10, 0, 69_120_000],
    [11, 0, null],
    [12, 0.3, null],
  ])('after %i attempts before this one and random %d waits %j ms', (attemptsBefore, random, expected) =>
    expect(retryDelayMs(attemptsBefore, random)).toBe(expected),
  );

  it('waits each step ± 20 %, whatever the jitter', () =>
    fc.assert(
      fc.property(fc.nat({ max: RETRY_DELAYS_MS.length - 1 }), RANDOM, (step, random) => {
        const published = RETRY_DELAYS_MS[step] as number;
        const waitMs = retryDelayMs(step, random) as number;
        expect(Math.abs(waitMs - published)).toBeLessThanOrEqual(published * 0.2 + 1);
      }),
    ));

  it('makes the last attempt never before 55 h after the first, whatever the jitter', () =>
    fc.assert(
      fc.property(fc.array(RANDOM, { minLength: 11, maxLength: 11 }), (randoms) => {
        const totalMs = randoms.reduce((sum, random, step) => sum + (retryDelayMs(step, random) as number), 0);
        expect(totalMs).toBeGreaterThanOrEqual(55 * 3_600_000);
        expect(totalMs).toBeLessThanOrEqual(84 * 3_600_000);
      }),
    ));

  it('spreads what failed together over the whole ± 20 %', () => {
    const waits = Array.from({ length: 2_000 }, () => retryDelayMs(2, Math.random()) as number);
    expect(Math.max(...waits)).toBeGreaterThan(140_000);
    expect(Math.min(...waits)).toBeLessThan(100_000);
    const mean = waits.reduce((sum, wait) => sum + wait) / waits.length;
    expect(Math.abs(mean - 120_000)).toBeLessThan(3_000);
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
