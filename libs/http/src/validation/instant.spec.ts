import { describe, expect, it } from 'vitest';
import { beginOf, endOf } from './instant.ts';

describe('the bounds of a period', () => {
  it('take a date for the whole day', () => {
    expect(beginOf('2026-11-21')?.toISOString()).toBe('2026-11-21T00:00:00.000Z');
    expect(endOf('2026-11-21')?.toISOString()).toBe('2026-11-22T00:00:00.000Z');
  });

  it('take a date-time as it is', () => {
    expect(beginOf('2026-11-21T10:00:00-05:00')?.toISOString()).toBe('2026-11-21T15:00:00.000Z');
    expect(endOf('2026-11-21T10:00:00.5Z')?.toISOString()).toBe('2026-11-21T10:00:00.500Z');
  });

  it('take a day where it is meant: in Colombia it begins at 05:00 UTC', () => {
    expect(beginOf('2026-11-21', 'bogota')?.toISOString()).toBe('2026-11-21T05:00:00.000Z');
    expect(endOf('2026-11-21', 'bogota')?.toISOString()).toBe('2026-11-22T05:00:00.000Z');
    expect(endOf('2026-11-21T10:00:00Z', 'bogota')?.toISOString()).toBe('2026-11-21T10:00:00.000Z');
  });

  it.each([
    '',
    '2026',
    '2026-11',
    '2026-W03',
    '2026-02-31',
    '2026-13-01',
    '2026-11-21T10:00:00',
    '2026-02-30T10:00:00Z',
    'now',
  ])('refuse %j', (text) => {
    expect(beginOf(text)).toBeUndefined();
    expect(endOf(text)).toBeUndefined();
  });
});
