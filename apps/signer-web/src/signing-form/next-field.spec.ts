import { expect, it } from 'vitest';
import type { SignField } from '../api/sign-state.ts';
import { nextField } from './next-field.ts';

const field = (key: string, page: number, y: number) => ({ key, page, y, x: 0 }) as SignField;
const FIELDS = [field('c', 2, 700), field('b', 1, 100), field('a', 1, 600)];
const all = () => true;

it('goes from the top of the first page to the end, and begins again', () => {
  expect(nextField(FIELDS, null, all)?.key).toBe('a');
  expect(nextField(FIELDS, 'a', all)?.key).toBe('b');
  expect(nextField(FIELDS, 'b', all)?.key).toBe('c');
  expect(nextField(FIELDS, 'c', all)?.key).toBe('a');
});

it('leaves out what is filled in', () => {
  expect(nextField(FIELDS, 'a', ({ key }) => key !== 'b')?.key).toBe('c');
  expect(nextField(FIELDS, 'a', () => false)).toBeUndefined();
});
