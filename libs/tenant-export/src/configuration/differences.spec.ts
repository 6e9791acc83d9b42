import { expect, it } from 'vitest';
import { DIFFERENCE_LIMITS, differences } from './differences.ts';

it('names what was changed, added and removed, as deep as it can', () => {
  const before = { a: 1, list: [1, 2], gone: true, same: { x: [1] }, 'a/b': 1 };
  const after = { a: 2, list: [1, 3, { k: 4 }], same: { x: [1] }, added: null, 'a/b': [] };
  expect(differences(before, after)).toEqual([
    { pointer: '/a', before: '1', after: '2' },
    { pointer: '/list/1', before: '2', after: '3' },
    { pointer: '/list/2', before: null, after: '{"k":4}' },
    { pointer: '/gone', before: 'true', after: null },
    { pointer: '/a~1b', before: '1', after: '[]' },
    { pointer: '/added', before: null, after: 'null' },
  ]);
  expect(differences(before, structuredClone(before))).toEqual([]);
});

it('is bounded', () => {
  const many = (value: number) => Array.from({ length: 200 }, () => value);
  expect(differences(many(1), many(2))).toHaveLength(DIFFERENCE_LIMITS.items);
  expect(differences({ a: 'x'.repeat(10_000) }, {})[0]?.before).toHaveLength(DIFFERENCE_LIMITS.text);
});
