import { expect, it } from 'vitest';
import { isUnavailable, translated } from './errors.ts';

it.each([
  ['08006', 'a connection that broke'],
  ['53100', 'a full disk'],
  ['53200', 'no memory'],
  ['53300', 'no connection left'],
  ['57P01', 'a server that is shut down'],
  ['57P03', 'a server that begins'],
  ['58030', 'a file that cannot be read'],
  ['25006', 'a former primary'],
])('%s, %s, is "not now"', (code) => {
  expect(isUnavailable(Object.assign(new Error('x'), { code }))).toBe(true);
  expect(isUnavailable({ driverError: { code } })).toBe(true);
});

it.each(['23505', '42P01', '22P02', '40001', 'XX000'])('%s is not', (code) => {
  expect(isUnavailable(Object.assign(new Error('x'), { code }))).toBe(false);
});

it('a statement that took too long is not taken for a store that cannot be reached', () => {
  expect(translated({ driverError: { code: '57014' } })).toMatchObject({ reason: 'too_slow' });
  expect(translated({ driverError: { code: '08006' } })).toMatchObject({ reason: 'unreachable' });
});
