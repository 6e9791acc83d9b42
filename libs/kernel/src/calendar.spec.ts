import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ageOn, bogotaDay, daysBefore, isDay } from './calendar.ts';

describe('the Colombian calendar', () => {
  it('is still on the day before while UTC has turned', () => {
    expect(bogotaDay('2026-11-21T04:59:59.999Z')).toBe('2026-11-20');
    expect(bogotaDay('2026-11-21T05:00:00Z')).toBe('2026-11-21');
    expect(bogotaDay(new Date('2026-01-01T00:00:00Z'))).toBe('2025-12-31');
  });

  it('agrees with the time zone database for every instant since 1994', () => {
    const format = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Bogota', dateStyle: 'short' });
    const instants = fc.date({ min: new Date('1994-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
    fc.assert(fc.property(instants, (instant) => bogotaDay(instant) === format.format(instant)));
  });

  it.each([
    ['2008-11-21', '2026-11-21', 18],
    ['2008-11-22', '2026-11-21', 17],
    ['2008-02-29', '2026-02-28', 17],
    ['2008-02-29', '2026-03-01', 18],
    ['2027-01-01', '2026-11-21', -1],
  ])('who was born on %s is on %s %i', (born, day, age) => {
    expect(ageOn(born, day)).toBe(age);
  });

  it.each([
    ['2026-02-28', true],
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['1900-02-29', false],
    ['2000-02-29', true],
    ['2026-13-01', false],
    ['2026-00-10', false],
    ['2026-04-31', false],
    ['0000-01-01', false],
    ['2026-1-1', false],
    ['2026-01-01T00:00:00Z', false],
    ['', false],
  ])('%s as a day: %s', (text, expected) => {
    expect(isDay(text)).toBe(expected);
  });

  it('counts back over months and years', () => {
    expect(daysBefore('2026-03-01', 1)).toBe('2026-02-28');
    expect(daysBefore('2026-01-01', 366)).toBe('2024-12-31');
    expect(daysBefore('2026-01-01', 0)).toBe('2026-01-01');
  });
});
