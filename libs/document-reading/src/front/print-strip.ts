import { halved } from '../image/grey-image.ts';
import type { GreyImage } from '../image/grey-image.ts';
import { sampled } from '../image/warp.ts';

/** A line of capitals made upright and even: capitals are 14 px high, with 4 px above (accents) and below. */
export const STRIP = { cap: 14, above: 4, height: 22 } as const;
/** What is looked at to tell one letter: a window of the strip, as wide as the widest letter. */
export const WINDOW = { width: 20, inputs: 440 } as const;

/** A line of capitals in a picture: its baseline from (x, y) for `length` pixels, and the height of its capitals. */
export interface PrintedLine {
  x: number;
  y: number;
  length: number;
  /** Pixels down per pixel to the right. */
  slope: number;
  cap: number;
}

export interface Strip {
  width: number;
  /** Ink 1, paper 0; column by column, 22 numbers each. */
  ink: Float32Array;
}

/** Columns on either side of a line's ends: windows at the first and last letter fit in. */
export const STRIP_MARGIN = WINDOW.width;

/** Cuts a line out of a picture, evens its size and its contrast. `shift` and `stretch` change the view for voting. */
export function stripOf(image: GreyImage, line: PrintedLine, shift = 0, stretch = 1): Strip {
  const { slope } = line;
  let [source, x, y, length, cap] = [image, line.x, line.y, line.length, line.cap];
  while (cap > 2.2 * STRIP.cap) {
    source = halved(source);
    [x, y, length, cap] = [x / 2 - 0.25, y / 2 - 0.25, length / 2, cap / 2];
  }
  const unit = cap / STRIP.cap;
  const step = unit / stretch;
  const width = Math.ceil(length / step) + 2 * STRIP_MARGIN;
  const grey = new Float32Array(width * STRIP.height);
  for (let column = 0; column < width; column++) {
    const along = (column - STRIP_MARGIN + 0.5) * step;
    for (let row = 0; row < STRIP.height; row++) {
      const up = STRIP.cap + STRIP.above - row - 0.5 + shift;
      const value = sampled(source, x + along + up * unit * slope, y + along * slope - up * unit);
      grey[column * STRIP.height + row] = value < 0 ? 255 : value;
    }
  }
  return { width, ink: inkOf(grey, width) };
}

/** Stretches the contrast between the paper and the ink of the surrounding columns, measured every eight columns. */
function inkOf(grey: Float32Array, width: number): Float32Array {
  const ink = new Float32Array(grey.length);
  for (let from = 0; from < width; from += 8) {
    const around = grey.slice(Math.max(0, from - 32) * STRIP.height, Math.min(width, from + 40) * STRIP.height).sort();
    const dark = around[Math.floor(0.03 * around.length)] as number;
    const paper = around[Math.floor(0.75 * around.length)] as number;
    const range = Math.max(12, paper - dark);
    const end = Math.min(width, from + 8) * STRIP.height;
    for (let at = from * STRIP.height; at < end; at++) {
      ink[at] = Math.max(-0.25, Math.min(1.25, (paper - (grey[at] as number)) / range));
    }
  }
  return ink;
}
