import { expect, it } from 'vitest';
import { loadMinutes } from './load-job.mjs';

it.each([
  [[], 15],
  [['--fresh', '--minutes', '2'], 2],
  [['--minutes', '0.5'], 0.5],
  [['--minutes'], null],
  [['--minutes', 'all'], null],
  [['--minutes', '0'], null],
  [['--minutes', '121'], null],
])('%j is %s minutes', (args, minutes) => {
  expect(loadMinutes(args)).toBe(minutes);
});
