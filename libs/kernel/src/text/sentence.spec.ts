import { expect, it } from 'vitest';
import { sentence } from './sentence.ts';

it('ends in one full stop', () => {
  expect(sentence('Vence a las 3:15 p. m.')).toBe('Vence a las 3:15 p. m.');
  expect(sentence('Vence el 4 de mayo')).toBe('Vence el 4 de mayo.');
});
