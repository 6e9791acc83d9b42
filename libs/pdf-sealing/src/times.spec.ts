import { describe, expect, it } from 'vitest';
import { dayInWords, inBogota, inUtc } from './times.ts';

describe('a day on the document', () => {
  it.each([
    ['2026-11-21', 180, 'es-CO', '21 de noviembre de 2026'],
    ['2026-11-21', 180, 'en', 'November 21, 2026'],
    ['2026-11-21', 90, 'es-CO', '21 nov 2026'],
    ['2026-11-21', 60, 'en', 'Nov 21, 2026'],
    ['2026-01-01', 180, 'es-CO', '1 de enero de 2026'],
  ] as const)('%s is in words in a box of %i points, %s: %s', (day, width, locale, words) => {
    expect(dayInWords(day, width, locale)).toBe(words);
  });

  it('stays in figures where no words fit, and what is no day stays as it is', () => {
    expect(dayInWords('2026-11-21', 30, 'es-CO')).toBe('2026-11-21');
    expect(dayInWords('mañana', 180, 'es-CO')).toBe('mañana');
  });
});

it('a time is the same moment by both clocks, also around midnight', () => {
  const at = new Date('2026-11-22T04:59:59Z');
  expect([inUtc(at), inBogota(at)]).toEqual(['2026-11-22 04:59:59', '2026-11-21 23:59:59']);
});
