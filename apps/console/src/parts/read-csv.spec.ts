import { expect, it } from 'vitest';
import { readCsv } from './read-csv.ts';

it.each([
  ['a\nb\n', []],
  ['a\r\nb\r\nN\uFFFDez', [{ fault: 'letters', line: 3 }]],
  ['a\n"b\n', [{ fault: 'unclosed', line: 2 }]],
  [
    '\uFFFD\n"b\n',
    [
      { fault: 'letters', line: 1 },
      { fault: 'unclosed', line: 2 },
    ],
  ],
] as const)('a table says what is wrong with it as a whole: %j', (text, faults) => {
  expect(readCsv(text).faults).toEqual(faults);
});
