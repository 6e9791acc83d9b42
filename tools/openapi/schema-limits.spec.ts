import fc from 'fast-check';
import { expect, it } from 'vitest';
import { longestText } from './schema-limits.ts';

it.each([
  ['^[a-z0-9_-]{1,64}$', 64],
  ['^tpl_[0-7][0-9a-hjkmnp-tv-z]{25}$', 30],
  ['^[A-Z]{2}$', 2],
  ['^"[0-9a-f]{64}"$', 66],
  ['^\\+?[0-9 ()-]{7,20}$', 21],
  ['^[a-z0-9](-?[a-z0-9]){1,39}$', 79],
  ['^(live|test)_[0-9A-Za-z]{49}$', 54],
  ['^(?:a|bcd)?x{3}$', 6],
  ['^(?=ab)[ab]{2}\\.$', 3],
  ['^[\\]a\\\\]{4}$', 4],
  ['^$', 0],
  ['^a*$', Infinity],
  ['^(?:ab){2,}$', Infinity],
  ['^([0-9a-f]{2})+$', Infinity],
  ['^\\p{L}{2}$', 2],
  ['^(a)\\1$', 2],
])('a text of %s has at most %d characters', (pattern, longest) => {
  expect(longestText(pattern)).toBe(longest);
});

it.each(['[a-z]{3}', '^[a-z]{3}', 'a{3}$', '^a{3}$|b', '^a|b$', '^a\\$'])('of %s no limit is known', (pattern) => {
  expect(longestText(pattern)).toBeUndefined();
});

it('no text of a pattern is longer than it states', () => {
  const part = fc.constantFrom('a', '[bc]', '(d|ef)', 'g?', '(?:hi){1,3}', '\\.', '[^x]{2}', 'j{4}');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const pattern = `^${parts.join('')}$`;
      const longest = longestText(pattern) as number;
      fc.assert(
        fc.property(fc.stringMatching(new RegExp(pattern)), (text) => text.length <= longest),
        { numRuns: 20 },
      );
    }),
    { numRuns: 50 },
  );
});
