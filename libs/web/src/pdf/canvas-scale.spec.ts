import { expect, it } from 'vitest';
import { canvasScale } from './canvas-scale.ts';

const letter = { width: 612, height: 792 };

it('draws one pixel of the canvas for each of the screen', () => {
  expect(canvasScale(letter, 612, 1)).toBe(1);
  expect(canvasScale(letter, 306, 2)).toBe(1);
  expect(canvasScale(letter, 360, 3)).toBeCloseTo((360 / 612) * 3);
});

it('keeps a canvas below what telephones refuse, however far one zooms in', () => {
  const scale = canvasScale(letter, 360 * 4, 4);
  expect(letter.width * scale * letter.height * scale).toBeLessThanOrEqual(12_000_001);
  const poster = { width: 4000, height: 6000 };
  const small = canvasScale(poster, 1000, 2);
  expect(poster.width * small * poster.height * small).toBeLessThanOrEqual(12_000_001);
});
