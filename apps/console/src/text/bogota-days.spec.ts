import { describe, expect, it } from 'vitest';
import { bogotaDay, endOf, isDate, isEndOfDay, lastDayOf, momentsOf, periodsOf } from './bogota-days.ts';

describe('days of Bogotá', () => {
  it('a moment of the evening is still of that day', () => {
    expect(bogotaDay(new Date('2026-11-02T03:00:00Z'))).toBe('2026-11-01');
  });

  it('a last day is included, also at the end of a year', () => {
    const days = { from: '2026-12-30', to: '2026-12-31' };
    expect(momentsOf(days)).toEqual({ from: '2026-12-30T00:00:00-05:00', to: '2027-01-01T00:00:00-05:00' });
    expect(momentsOf({ to: 'soon' })).toEqual({ to: 'soon' });
  });

  it('what ends with a day is shown as that day', () => {
    expect(endOf('2026-12-31')).toBe('2027-01-01T00:00:00-05:00');
    expect(lastDayOf('2027-01-01T05:00:00.000Z')).toBe('2026-12-31');
    expect(lastDayOf('2027-01-01T05:00:01.000Z')).toBe('2027-01-01');
    expect(isEndOfDay('2027-01-01T05:00:00.000Z')).toBe(true);
    expect(isEndOfDay('2026-12-31T00:00:00.000Z')).toBe(false);
  });

  it('a date without a time is known', () => {
    expect(isDate('2026-02-13T00:00:00.000Z')).toBe(true);
    expect(isDate('2026-02-13T00:00:01.000Z')).toBe(false);
  });

  it('periods have no gap', () => {
    expect(periodsOf('2026-02-27', '2026-03-01', 'day', 10)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(periodsOf('2026-12-31', '2027-01-01', 'month', 10)).toEqual(['2026-12', '2027-01']);
    expect(periodsOf('2026-01-01', '2026-12-31', 'day', 10)).toEqual([]);
    expect(periodsOf('soon', '2026-12-31', 'day', 10)).toEqual([]);
  });
});
