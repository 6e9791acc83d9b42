import { describe, expect, it } from 'vitest';
import { jsonBytes } from './json-bytes.ts';

describe('the weight of a value', () => {
  it('is close to the length of its JSON', () => {
    const value = { a: 'text', list: [1, 2, { b: null, c: true }], nested: { when: new Date(0), d: 'x'.repeat(1000) } };
    const actual = JSON.stringify(value).length;
    expect(Math.abs(jsonBytes(value) - actual) / actual).toBeLessThan(0.05);
  });
});
