import { expect, it } from 'vitest';
import { preferredType } from './preferred-type.ts';

const OFFERED = ['application/json', 'text/csv', 'application/pdf'] as const;

it.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/csv', 'text/csv'],
  ['TEXT/CSV ; charset=utf-8', 'text/csv'],
  ['text/*', 'text/csv'],
  ['application/*', 'application/json'],
  ['application/pdf, */*;q=0.1', 'application/pdf'],
  ['application/json;q=0.5, text/csv;q=0.9', 'text/csv'],
  ['*/*, application/json;q=0', 'text/csv'],
  ['text/csv;q=0.5, application/json;q=0.5', 'application/json'],
  ['image/png', 'application/json'],
  ['text/csv;q=high', 'application/json'],
  ['nonsense', 'application/json'],
])('for Accept: %s the answer is %s', (accept, type) => {
  expect(preferredType(accept, OFFERED)).toBe(type);
});
