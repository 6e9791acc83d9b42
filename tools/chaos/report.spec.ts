import { expect, it } from 'vitest';
import type { Fault } from './faults/fault.ts';
import { tables } from './report.ts';
import type { RoundResult } from './round.ts';

const fault = (name: string): Fault => ({
  name,
  what: `does ${name}`,
  countsFrom: 'strike',
  limitSeconds: 60,
  strike: () => Promise.resolve(),
});
const FAULTS = [fault('one'), fault('other')];
const round = (name: string, replicas: number | undefined, recoveredSeconds: number): RoundResult => ({
  fault: name, seed: 1, backend: 'redis', ...(replicas !== undefined && { replicas }), startedAt: '', commit: '', machineLoad: 1,
  acknowledged: 10, refused: 0, repeated: 2, waiting: 3, strikeSeconds: 1, recoveredSeconds, limitSeconds: 60, restSeconds: 1,
  payments: 0, settledSeconds: 1, persons: {}, callbacks: {}, violations: [],
}); // prettier-ignore

it('rounds with several copies of every process have a table of their own', () => {
  const text = tables(FAULTS, [round('one', undefined, 1), round('one', 2, 5), round('other', 2, 7)]);
  const [single, copies] = text.split('With 2 copies of every process:') as [string, string];
  expect(single).toContain('| one | does one | 1 + 0 + 0 | 10 | 2 | 3 | 1.0 / 1.0 (60) | 0 |');
  expect(copies).toContain('| one | does one | 1 + 0 + 0 | 10 | 2 | 3 | 5.0 / 5.0 (60) | 0 |');
  expect([single.includes('other'), copies.includes('other')]).toEqual([false, true]);
});

it('the table of all faults has those that were not played', () => {
  const lines = tables(FAULTS, [round('one', 1, 1)], true).split('\n');
  expect(lines.at(-1)).toBe('| other | does other | 0 |  |  |  |  |  |');
  expect(new Set(lines.map((line) => line.split('|').length)).size).toBe(1);
});
