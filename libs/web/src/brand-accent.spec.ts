import { describe, expect, it } from 'vitest';
import { isReadableAccent } from './brand-accent.ts';

describe('the accent of a page', () => {
  it.each([
    ['#7a1f5c', 'light', true],
    ['#7a1f5c', 'dark', false],
    ['#ffcc00', 'light', false],
    ['#ffcc00', 'dark', true],
    ['#767676', 'light', false], // 4.54 on white, too little on paper
    ['#808080', 'dark', false],
  ] as const)('%s is used in the %s theme: %s', (color, theme, isUsed) => {
    expect(isReadableAccent(color, theme)).toBe(isUsed);
  });
});
