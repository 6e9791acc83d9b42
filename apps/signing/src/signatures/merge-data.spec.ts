import { expect, test } from 'vitest';
import { blankKeys, mergeDataErrors, normalised } from './merge-data.ts';

const keys = [{ key: 'name' }, { key: 'amount', required: false }];
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

test('a required key without a text is refused, at its pointer', () => {
  const placeholders = [{ key: 'a/b', required: true }, { key: 'a/b' }, { key: 'name', required: true }];
  const found = (mergeData: Record<string, unknown>) =>
    mergeDataErrors(mergeData, placeholders).map((error) => `${error.pointer} ${error.code}`);
  expect(found({})).toEqual(['/merge_data/a~1b required', '/merge_data/name required']);
  expect(found({ 'a/b': ' ', name: 'Ana' })).toEqual(['/merge_data/a~1b required']);
  expect(found({ 'a/b': 7, name: 'Ana' })).toEqual(['/merge_data/a~1b wrong_type']);
});

test('blank is what is left out, empty or spaces only; each key once', () => {
  expect(blankKeys({ a: 'x', b: '', c: ' ' }, ['a', 'b', 'b', 'c', 'd'])).toEqual(['b', 'c', 'd']);
});

test('values are composed (NFC)', () => {
  expect(normalised({ name: 'Nun\u0303ez' })).toEqual({ name: 'Nu\u00f1ez' });
});
