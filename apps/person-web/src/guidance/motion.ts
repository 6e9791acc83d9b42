import { type GreyFrame, halved } from './grey-frame.ts';
import type { Quad } from './outline.ts';

const COMPARED_PX = 80;

/** A frame small enough that only movement changes it, and no noise. */
export function thumbnailOf(frame: GreyFrame): GreyFrame {
  let small = frame;
  while (Math.max(small.width, small.height) > COMPARED_PX) small = halved(small);
  return small;
}

/** Mean difference of two thumbnails, in levels of grey; 255 when their sizes differ. */
export function differenceOf(one: GreyFrame, other: GreyFrame): number {
  if (one.data.length !== other.data.length) return 255;
  const sum = one.data.reduce((total, value, at) => total + Math.abs(value - (other.data[at] as number)), 0);
  return sum / one.data.length;
}

/** How far the corner that moved most has moved, in shares of the frame's width. */
export function shiftOf(one: Quad, other: Quad, width: number): number {
  const shifts = one.map(({ x, y }, corner) => {
    const then = other[corner] as { x: number; y: number };
    return Math.hypot(x - then.x, y - then.y);
  });
  return Math.max(...shifts) / width;
}
