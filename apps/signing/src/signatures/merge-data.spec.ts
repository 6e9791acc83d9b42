import { expect, test } from 'vitest';
import { mergeDataErrors, normalised } from './merge-data.ts';

const keys = new Set(['name', 'amount']);
const errors = (mergeData: Record<string, unknown>) =>
  mergeDataErrors(mergeData, keys).map((error) => `${error.pointer} ${error.code}`);

test('keys may be left out, and 2,000 characters are allowed, emoji counting as one', () => {
  expect(errors({})).toEqual([]);
  expect(errors({ name: 'x'.repeat(2000), amount: '😀'.repeat(2000) })).toEqual([]);
});

test('everything wrong is said at once, with escaped pointers', () => {
  const mergeData = { name: 7, amount: 'x'.repeat(2001), 'a/b~c': '', constructor: '' };
  expect(errors(mergeData)).toEqual([
    '/merge_data/name wrong_type',
    '/merge_data/amount too_long',
    '/merge_data/a~1b~0c unknown_member',
    '/merge_data/constructor unknown_member',
  ]);
});

test('201 keys are one error, not 201', () => {
  const mergeData = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`k${index}`, '']));
  expect(errors(mergeData)).toEqual(['/merge_data too_many']);
});

test('values are composed (NFC)', () => {
  expect(normalised({ name: 'Nun\u0303ez' })).toEqual({ name: 'Nu\u00f1ez' });
});
