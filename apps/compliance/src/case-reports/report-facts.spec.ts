import { expect, it } from 'vitest';
import { wordingOf } from './report-facts.ts';

it('a day without a time stays that day; a moment is in the time of Bogotá', () => {
  const { dayOrTime } = wordingOf('en');
  expect(dayOrTime('2026-02-13T00:00:00.000Z')).toBe('Feb 13, 2026');
  expect(dayOrTime('2026-02-13T03:00:00.000Z')).toBe('Feb 12, 2026, 10:00 PM (UTC-5)');
  expect(wordingOf('es-CO').dayOrTime('2026-02-13T00:00:00Z')).toMatch(/^13\b/);
});
