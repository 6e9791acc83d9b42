import type { Box } from '../find-faces.ts';
import { powerSpectrum } from './fourier.ts';
import type { GreyImage } from './grey-image.ts';

export const PATCH_SIDE_PX = 128;
/** Cycles per patch: below lies what faces are made of, above what every camera's noise is. */
const [LOWEST, HIGHEST] = [18, 62];
/** Blocks of JPEG show on the axes, as do straight edges. */
const AXIS = 3;

/** How regular a pattern lies over the face of a frame, see `regularity`; 0 when the frame is smaller than a patch. */
export function faceRegularity({ width, height, data }: GreyImage, face: Box): number {
  if (Math.min(width, height) < PATCH_SIDE_PX) return 0;
  const start = (from: number, to: number, limit: number) =>
    Math.max(0, Math.min(limit - PATCH_SIDE_PX, Math.round((from + to - PATCH_SIDE_PX) / 2)));
  const [left, top] = [start(face.left, face.right, width), start(face.top, face.bottom, height)];
  const patch = new Float32Array(PATCH_SIDE_PX * PATCH_SIDE_PX);
  for (let row = 0; row < PATCH_SIDE_PX; row++) {
    const from = (top + row) * width + left;
    patch.set(data.subarray(from, from + PATCH_SIDE_PX), row * PATCH_SIDE_PX);
  }
  return regularity(patch);
}

/** Of a grey square of PATCH_SIDE_PX: its strongest wave against the median one, both of the same fineness. */
export function regularity(patch: ArrayLike<number>): number {
  const side = PATCH_SIDE_PX;
  const power = powerSpectrum(patch, side);
  const rings = new Map<number, number[]>();
  for (let v = -side / 2; v < side / 2; v++) {
    for (let u = AXIS; u < side / 2; u++) {
      const radius = Math.hypot(u, v);
      if (Math.abs(v) < AXIS || radius < LOWEST || radius > HIGHEST) continue;
      const ring = Math.floor(radius / 4);
      const values = rings.get(ring) ?? [];
      values.push(power[((v + side) % side) * side + u] as number);
      rings.set(ring, values);
    }
  }
  const ratios = [...rings.values()].map((values) => {
    const sorted = Float64Array.from(values).sort();
    return Math.sqrt((sorted.at(-1) as number) / Math.max(1, sorted[sorted.length >> 1] as number));
  });
  return Math.round(Math.max(...ratios) * 10) / 10;
}
