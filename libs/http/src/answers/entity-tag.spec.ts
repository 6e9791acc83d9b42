import { expect, test } from 'vitest';
import { matchesETag } from './entity-tag.ts';

test.each([
  [undefined, false],
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", "abc"', true],
  ['*', true],
  ['abc', false],
  ['"abcd"', false],
])('If-None-Match %s', (header, expected) => {
  expect(matchesETag(header, 'abc')).toBe(expected);
});
