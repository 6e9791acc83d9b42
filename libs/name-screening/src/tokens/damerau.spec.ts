import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { damerau } from './damerau.ts';

/** The recurrence as it is written down, without a bound. */
function plainly(a: string, b: string): number {
  const at = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const same = Number(a[i - 1] !== b[j - 1]);
    const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    return Math.min(
      rows(i - 1, j) + 1,
      rows(i, j - 1) + 1,
      rows(i - 1, j - 1) + same,
      swapped ? rows(i - 2, j - 2) + 1 : Infinity,
    );
  };
  const known = new Map<number, number>();
  const rows = (i: number, j: number): number => {
    const key = i * 64 + j;
    const value = known.get(key) ?? at(i, j);
    known.set(key, value);
    return value;
  };
  return rows(a.length, b.length);
}

describe('the distance of two words', { timeout: 30_000 }, () => {
  const word = (most: number) => fc.string({ unit: fc.constantFrom(...'abcd'), minLength: 1, maxLength: most });
  const han = fc.string({ unit: fc.constantFrom('毛', '泽', '东', 'a'), minLength: 1, maxLength: 8 });

  it.each([
    ['short words', word(9)],
    ['words of up to 40 letters', word(40)],
    ['words in East Asian script', han],
  ])('is that of the definition up to the bound: %s', (_, words) => {
    fc.assert(
      fc.property(words, words, fc.integer({ min: 1, max: 5 }), (a, b, bound) => {
        expect(damerau(a, b, bound)).toBe(Math.min(plainly(a, b), bound + 1));
        expect(damerau(b, a, bound)).toBe(damerau(a, b, bound));
      }),
      { numRuns: 500 },
    );
  });
});
