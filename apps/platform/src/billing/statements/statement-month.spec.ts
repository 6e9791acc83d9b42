import { describe, expect, it } from 'vitest';
import { statementMonth } from './statement-month.ts';

const NOW = new Date('2026-11-24T12:00:00Z');

describe('the month of a statement', () => {
  it.each([
    ['2026-10', '2026-10-01', '2026-11-01', '2026-11-01T06:00:00.000Z', true],
    ['2026-11', '2026-11-01', '2026-12-01', '2026-12-01T06:00:00.000Z', false],
    ['2025-12', '2025-12-01', '2026-01-01', '2026-01-01T06:00:00.000Z', true],
    ['2024-02', '2024-02-01', '2024-03-01', '2024-03-01T06:00:00.000Z', true],
    ['0099-12', '0099-12-01', '0100-01-01', '0100-01-01T06:00:00.000Z', true],
  ])('%s', (month, from, next, finalFrom, isFinal) => {
    const { finalFrom: at, ...rest } = statementMonth(month, NOW);
    expect({ ...rest, finalFrom: at.toISOString() }).toEqual({ month, from, next, finalFrom, isFinal });
  });

  it('is final an hour after it ended in Colombia, when no transaction that began in it is open', () => {
    expect(statementMonth('2026-10', new Date('2026-11-01T05:59:59.999Z')).isFinal).toBe(false);
    expect(statementMonth('2026-10', new Date('2026-11-01T06:00:00Z')).isFinal).toBe(true);
  });

  it('begins when it begins in Colombia', () => {
    expect(() => statementMonth('2026-12', new Date('2026-12-01T04:59:59Z'))).toThrow('has not begun');
    expect(statementMonth('2026-12', new Date('2026-12-01T05:00:00Z')).isFinal).toBe(false);
  });

  it.each(['2026-13', '2026-00', '2026-1', '2026', '2026-11-01', 'november', ''])('refuses %j', (text) => {
    expect(() => statementMonth(text, NOW)).toThrow('Must be a month, YYYY-MM.');
  });
});
