import fc from 'fast-check';
import { expect, it } from 'vitest';
import { romanFold } from '../normalise/sound-keys.ts';
import { outlineOf } from './plain-names.ts';

const text = fc.array(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz', 'sch', 'kh', 'tsch', 'ie', 'ou', 'qu', 'll'), {
  minLength: 1,
  maxLength: 12,
});

it('texts that are equal under romanFold have equal outlines', () => {
  fc.assert(
    fc.property(text, (letters) => {
      const written = letters.join('');
      expect(outlineOf(romanFold(written)).hash, written).toBe(outlineOf(written).hash);
    }),
    { numRuns: 5_000 },
  );
});
