import { expect, it } from 'vitest';
import { LONGEST_TYPED, shortenedName } from './shortened-name.ts';

it('proposes a name whole, and of one that is too long as many words as may be typed', () => {
  expect(shortenedName('Ana María Núñez')).toBe('Ana María Núñez');
  const long = `${'Restrepo '.repeat(12)}Echeverri`;
  expect(shortenedName(long)).toBe('Restrepo '.repeat(9).trim());
  expect(shortenedName('x'.repeat(120))).toHaveLength(LONGEST_TYPED);
});
