import { expect, it } from 'vitest';
import { calendarDay, dateAndTime, todayInColombia } from './dates.ts';

it('a moment is shown with the month as a word and the zone named', () => {
  expect(dateAndTime('2026-11-21T19:05:00Z', 'es-CO')).toBe('21 nov 2026, 14:05 (hora de Colombia)');
  expect(dateAndTime('2026-11-21T19:05:00Z', 'en')).toBe('21 Nov 2026, 14:05 (Colombia time)');
});

it('the evening in Colombia is still the day before midnight UTC', () => {
  expect(dateAndTime('2027-01-01T02:00:00Z', 'es-CO')).toBe('31 dic 2026, 21:00 (hora de Colombia)');
  expect(todayInColombia(new Date('2027-01-01T04:59:59Z'))).toBe('2026-12-31');
  expect(todayInColombia(new Date('2027-01-01T05:00:00Z'))).toBe('2027-01-01');
});

it('a calendar day is no moment: no zone moves it', () => {
  expect(calendarDay('2026-03-01', 'es-CO')).toBe('1 mar 2026');
  expect(calendarDay('2026-03-01', 'en')).toBe('1 Mar 2026');
});
