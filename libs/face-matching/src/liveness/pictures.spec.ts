import { describe, expect, it } from 'vitest';
import { regularity } from '../passive/regularity.ts';
import { SCREEN_SUSPECTED } from './screen-pattern.ts';
import { isSamePicture } from './same-picture.ts';

/** A smooth picture with grain, always the same. */
function grainy(side: number, channels: number, seed: number, shift = 0): Uint8Array {
  let state = seed;
  const next = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  return Uint8Array.from({ length: side * side * channels }, (_, at) => {
    const [x, y] = [Math.floor(at / channels) % side, Math.floor(at / channels / side)];
    return 120 + 60 * Math.sin((x + shift) / 9) * Math.cos(y / 13) + 12 * next();
  });
}

describe('the regularity of a pattern', () => {
  it('is low where there is only grain', () => {
    expect(regularity(grainy(128, 1, 7))).toBeLessThan(SCREEN_SUSPECTED / 2);
  });

  it('is high under the grid of a screen', () => {
    const grid = grainy(128, 1, 7).map((value, at) => value + 14 * Math.sin((at % 128) * 1.4 + Math.floor(at / 128) * 1.1)); // prettier-ignore
    expect(regularity(grid)).toBeGreaterThan(SCREEN_SUSPECTED);
  });
});

describe('two thumbnails', () => {
  const one = grainy(64, 3, 1);

  it('are of one picture when only its encoding differs', () => {
    expect(isSamePicture(one, one.map((value) => value * 0.9 + 5))).toBe(true); // prettier-ignore
  });

  it('are of one picture when one is in a mirror', () => {
    const flopped = Uint8Array.from(one, (_, at) => {
      const [pixel, channel] = [Math.floor(at / 3), at % 3];
      return one[(Math.floor(pixel / 64) * 64 + 63 - (pixel % 64)) * 3 + channel] as number;
    });
    expect(isSamePicture(one, flopped)).toBe(true);
  });

  it('are of two pictures when somebody moved', () => {
    expect(isSamePicture(one, grainy(64, 3, 2, 4))).toBe(false);
  });
});
