import { expect, it } from 'vitest';
import { archivedWithin } from './archived-until.ts';

it.each([
  ['nothing is archived', null, undefined, null],
  ['the answer is not there yet', undefined, undefined, null],
  ['the list has no beginning', '2016-03-01T00:00:00.000Z', undefined, '2016-03-01T00:00:00.000Z'],
  ['the list begins before', '2016-03-01T00:00:00.000Z', '2016-02-01T00:00:00-05:00', '2016-03-01T00:00:00.000Z'],
  ['the list begins after', '2016-03-01T00:00:00.000Z', '2016-03-02T00:00:00-05:00', null],
  ['the list begins after, in Bogotá alone', '2016-03-01T04:00:00.000Z', '2016-03-01T00:00:00-05:00', null],
])('the ledger says that entries are archived: %s', (_, until, from, shown) => {
  expect(archivedWithin(until, from)).toBe(shown);
});
