import { expect, it } from 'vitest';
import { spreadOf, Tally } from './tallies.ts';

it('tells the median, the ninth decile and the longest of durations', () => {
  expect(spreadOf(new Map())).toBeNull();
  expect(spreadOf(new Map([[90, 1]]))).toEqual({ median_hours: 1.5, p90_hours: 1.5, longest_hours: 1.5 });
  // 60, 60, 60, 120, 120, 180, 180, 180, 240 and 6,000 minutes.
  const minutes = new Map([[240, 1], [60, 3], [6_000, 1], [180, 3], [120, 2]]); // prettier-ignore
  expect(spreadOf(minutes)).toEqual({ median_hours: 2, p90_hours: 4, longest_hours: 100 });
});

it('names what is counted, the most frequent first', () => {
  const tally = new Tally();
  for (const [name, count] of [['b', 1], ['a', 1], ['c', 2], ['a', 1]] as const) tally.add(name, count); // prettier-ignore
  expect([tally.total, Object.entries(tally.named())]).toEqual([5, [['a', 2], ['c', 2], ['b', 1]]]); // prettier-ignore
  expect(tally.named(['c', 'x'])).toEqual({ c: 2, x: 0 });
});
