import sharp from 'sharp';
import type { FaceBox } from '../face-engine.ts';
import { PATCH_SIDE_PX as SIDE, regularity } from '../passive/regularity.ts';

/** From here on a pattern is as regular as hardly any face's; the photos of docs/benchmarks.md stay below. */
export const SCREEN_SUSPECTED = 30;

/**
 * How regular a pattern lies over a face: its strongest wave against the median one, both of the same fineness. Pictures taken of
 * a screen often have one (moiré); many have not, and a print has none, so that nothing follows from its absence.
 */
export async function screenPattern(picture: Uint8Array, { x, y, width, height }: FaceBox): Promise<number> {
  const upright = await sharp(picture).autoOrient().toBuffer({ resolveWithObject: true });
  if (Math.min(upright.info.width, upright.info.height) < SIDE) return 0;
  const start = (from: number, length: number, limit: number) =>
    Math.max(0, Math.min(limit - SIDE, Math.round(from + length / 2 - SIDE / 2)));
  const patch = await sharp(upright.data)
    .extract({
      left: start(x, width, upright.info.width),
      top: start(y, height, upright.info.height),
      width: SIDE,
      height: SIDE,
    })
    .flatten({ background: '#fff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  return regularity(patch);
}
