import type { GreyImage } from './grey-image.ts';

/**
 * The smallest mean difference between two frames that follow each other, in steps of brightness (0 to 255). A camera's noise and a person
 * who breathes make more than that of one picture sent again, however it was encoded. Infinity when no two have the same size.
 */
export function leastDifference(frames: readonly GreyImage[]): number {
  const differences = frames.slice(1).map((frame, nth) => meanDifference(frames[nth] as GreyImage, frame));
  return Math.min(Infinity, ...differences);
}

function meanDifference(one: GreyImage, other: GreyImage): number {
  if (one.width !== other.width || one.height !== other.height) return Infinity;
  let sum = 0;
  for (let at = 0; at < one.data.length; at++) sum += Math.abs((one.data[at] as number) - (other.data[at] as number));
  return Math.round((sum / one.data.length) * 1000) / 1000;
}
