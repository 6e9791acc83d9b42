import { describe, expect, it } from 'vitest';
import { brandColorUse } from './brand-color.ts';

describe('a brand colour', () => {
  it.each([
    ['#000000', ['white'], { white: 21, dark: 1.17 }, '#ffffff'],
    ['#ffffff', ['dark'], { white: 1, dark: 17.82 }, '#14181d'],
    ['#0b5a55', ['white'], { white: 8.05, dark: 2.21 }, '#ffffff'],
    ['#ffcc00', ['dark'], { white: 1.51, dark: 11.78 }, '#14181d'],
  ])('%s is readable on %j', (color, readableOn, contrast, textOnColor) => {
    expect(brandColorUse(color)).toEqual({ readable_on: readableOn, contrast, text_on_color: textOnColor });
  });

  it('can always be read on at least one background, or carries text that can', () => {
    for (let value = 0; value <= 0xffffff; value += 4_099) {
      const { contrast } = brandColorUse(`#${value.toString(16).padStart(6, '0')}`);
      expect(Math.max(contrast.white, contrast.dark)).toBeGreaterThan(4.2);
    }
  });
});
