import type { Box } from '../find-faces.ts';
import { type GreyImage, gradientsOf } from './grey-image.ts';
import type { PlanePoint } from './track-points.ts';

const RADIUS = 3;
/** The smaller eigenvalue of the gradients around a corner, per pixel: below, it is a plain surface or an edge. */
const LEAST_STRENGTH = 12;
/** Windows that reach over the border of the frame are not tracked. */
const MARGIN_PX = 12;

/** The clearest corner of every cell of a grid, so that they are spread; at most `columns` squared. */
export function cornersIn(image: GreyImage, box: Box, columns: number, skip?: Box): PlanePoint[] {
  const { x: gx, y: gy } = gradientsOf(image);
  const { width, height } = image;
  const [left, right] = [Math.max(MARGIN_PX, Math.ceil(box.left)), Math.min(width - MARGIN_PX, Math.floor(box.right))];
  const [top, bottom] = [Math.max(MARGIN_PX, Math.ceil(box.top)), Math.min(height - MARGIN_PX, Math.floor(box.bottom))];
  const cell = Math.max(right - left, bottom - top) / columns;
  if (cell < 2) return [];
  const best = new Map<number, PlanePoint & { strength: number }>();
  for (let y = top; y < bottom; y += 2) {
    for (let x = left; x < right; x += 2) {
      if (skip && x > skip.left && x < skip.right && y > skip.top && y < skip.bottom) continue;
      const strength = strengthAt(gx, gy, width, x, y);
      if (strength < LEAST_STRENGTH) continue;
      const key = Math.floor((y - top) / cell) * columns + Math.floor((x - left) / cell);
      if (strength > (best.get(key)?.strength ?? 0)) best.set(key, { x, y, strength });
    }
  }
  return [...best.values()].map(({ x, y }) => ({ x, y }));
}

function strengthAt(gx: Float32Array, gy: Float32Array, width: number, x: number, y: number): number {
  let [xx, xy, yy] = [0, 0, 0];
  for (let row = y - RADIUS; row <= y + RADIUS; row++) {
    for (let at = row * width + x - RADIUS; at <= row * width + x + RADIUS; at++) {
      const [a, b] = [gx[at] as number, gy[at] as number];
      xx += a * a;
      xy += a * b;
      yy += b * b;
    }
  }
  const half = (xx - yy) / 2;
  return ((xx + yy) / 2 - Math.sqrt(half * half + xy * xy)) / (2 * RADIUS + 1) ** 2;
}
