import type { GreyFrame } from './grey-frame.ts';
import type { Quad } from './outline.ts';

/** The part of a frame that is looked at, in pixels. */
export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const wholeOf = ({ width, height }: GreyFrame): Area => ({ left: 0, top: 0, right: width, bottom: height });

/** Mean grey and its standard deviation, 0 to 255. */
export function lightOf(
  { width, data }: GreyFrame,
  { left, top, right, bottom }: Area,
): { mean: number; spread: number } {
  let [sum, squares, seen] = [0, 0, 0];
  for (let y = top; y < bottom; y += 2) {
    for (let at = y * width + left; at < y * width + right; at += 2) {
      const value = data[at] as number;
      sum += value;
      squares += value * value;
      seen += 1;
    }
  }
  if (seen === 0) return { mean: 0, spread: 0 };
  const mean = sum / seen;
  return { mean, spread: Math.sqrt(Math.max(0, squares / seen - mean * mean)) };
}

const BURNT = 250;
/** How far around a burnt pixel everything has to be burnt: paper, however white, has ink on it. In shares of the card's width. */
const BLOB_SHARE = 0.02;
const GRID = 48;

/**
 * The share of a card that is burnt out by a reflection: none where most of the card is as light, because then the paper is white and the
 * light bright.
 */
export function glareShare(frame: GreyFrame, [tl, tr, br, bl]: Quad): number {
  const reach = Math.max(2, Math.round(Math.hypot(tr.x - tl.x, tr.y - tl.y) * BLOB_SHARE));
  let [light, burnt, seen] = [0, 0, 0];
  for (let row = 1; row < GRID; row++) {
    for (let column = 1; column < GRID; column++) {
      const [u, v] = [column / GRID, row / GRID];
      const x = Math.round((1 - v) * (tl.x + (tr.x - tl.x) * u) + v * (bl.x + (br.x - bl.x) * u));
      const y = Math.round((1 - v) * (tl.y + (tr.y - tl.y) * u) + v * (bl.y + (br.y - bl.y) * u));
      seen += 1;
      if ((frame.data[y * frame.width + x] as number) >= BURNT) light += 1;
      if (isBurnt(frame, x, y, reach)) burnt += 1;
    }
  }
  return light > seen / 2 ? 0 : burnt / seen;
}

function isBurnt({ width, height, data }: GreyFrame, x: number, y: number, reach: number): boolean {
  if (x < reach || y < reach || x >= width - reach || y >= height - reach) return false;
  const at = y * width + x;
  return [0, reach, -reach, reach * width, -reach * width].every((off) => (data[at + off] as number) >= BURNT);
}
