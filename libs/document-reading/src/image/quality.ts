import type { ImageQuality } from '../document-reader.ts';
import type { DecodedImage } from './decode-image.ts';
import { halved } from './grey-image.ts';
import type { GreyImage } from './grey-image.ts';

/** Below these a picture is said to be the reason why nothing could be read. Nothing is refused for them alone. */
const LIMITS = { longSidePx: 640, sharpness: 55, glareShare: 0.12 };
const MEASURED_SIDE_PX = 900;

/** How a picture of a document was taken. `skewDegrees` as found, if anything was. */
export function qualityOf(
  side: 'front' | 'back',
  { grey, width, height }: DecodedImage,
  skewDegrees: number | null,
): ImageQuality {
  let small = grey;
  while (Math.max(small.width, small.height) > MEASURED_SIDE_PX) small = halved(small);
  const sharpness = sharpnessOf(small);
  const glare = burntShare(grey);
  const reasons: ImageQuality['reasons'] = [];
  if (Math.max(width, height) < LIMITS.longSidePx) reasons.push('too_small');
  if (sharpness < LIMITS.sharpness) reasons.push('blurred');
  if (glare > LIMITS.glareShare) reasons.push('glare');
  return {
    side,
    width,
    height,
    sharpness: Math.round(sharpness),
    glare: Math.round(glare * 1000) / 1000,
    skewDegrees,
    reasons,
  };
}

/** Variance of the Laplacian, after the picture's contrast was stretched to a standard deviation of 50. */
function sharpnessOf({ width, height, data }: GreyImage): number {
  const n = data.length || 1;
  const mean = data.reduce((sum, each) => sum + each, 0) / n;
  const variance = data.reduce((sum, each) => sum + (each - mean) ** 2, 0) / n;
  let [sum, squares, count] = [0, 0, 0];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const around =
        (data[at - 1] as number) +
        (data[at + 1] as number) +
        (data[at - width] as number) +
        (data[at + width] as number);
      const laplacian = around - 4 * (data[at] as number);
      sum += laplacian;
      squares += laplacian * laplacian;
      count += 1;
    }
  }
  if (count === 0) return 0;
  return ((squares / count - (sum / count) ** 2) * 2500) / Math.max(100, variance);
}

/** Pixels that are burnt out together with all their neighbours eight pixels away: paper, however white, has ink on it. */
function burntShare({ width, height, data }: GreyImage): number {
  const burnt = (x: number, y: number) => (data[y * width + x] as number) >= 252;
  let [share, seen] = [0, 0];
  for (let y = 8; y < height - 8; y += 4) {
    for (let x = 8; x < width - 8; x += 4) {
      seen += 1;
      if (burnt(x, y) && burnt(x - 8, y) && burnt(x + 8, y) && burnt(x, y - 8) && burnt(x, y + 8)) share += 1;
    }
  }
  return seen === 0 ? 0 : share / seen;
}
