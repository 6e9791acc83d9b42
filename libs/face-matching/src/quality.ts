import { eyeDistance } from './align.ts';
import type { FaceQuality } from './face-engine.ts';
import type { Pyramid, RgbImage } from './image/rgb-image.ts';
import { CHIP_SIDE_PX } from './nets/descriptor-net.ts';
import type { Point } from './nets/landmark-net.ts';
import type { PictureReason } from './outcomes.ts';
import { poseOf } from './pose.ts';

/**
 * Of a selfie. Set where the descriptor begins to suffer: a blur of about a sixteenth of the distance between the eyes takes pairs of one
 * person out of what passes. The photos of docs/benchmarks.md have a sharpness of 1,580 and more.
 */
const LEAST = { eyeDistancePx: 28, sharpness: 320, brightness: 35 };
/** Pixels of the chip in one of those that sharpness is measured in: a camera's noise is finer, and would pass for sharpness. */
const COARSE_PX = 3;

/** `chip`: the aligned face. `scale`: pixels as uploaded for one of the picture that the landmarks are in. */
export function qualityOf(chip: Uint8Array, landmarks: Point[], scale: number): FaceQuality {
  const grey = greyOf(chip);
  const { yawDegrees, rollDegrees } = poseOf(landmarks);
  return {
    eyeDistancePx: Math.round(eyeDistance(landmarks) * scale),
    sharpness: Math.round(sharpnessOf(coarse(grey), CHIP_SIDE_PX / COARSE_PX)),
    brightness: Math.round(grey.reduce((sum, value) => sum + value, 0) / grey.length),
    yawDegrees: Math.round(yawDegrees) + 0, // no negative zero
    rollDegrees: Math.round(rollDegrees) + 0,
  };
}

/** What a selfie is refused for, the weightiest first: a small or dark face is also blurred, and should name the cause. */
export function refusalsOf(quality: FaceQuality): PictureReason[] {
  const reasons: PictureReason[] = [];
  if (quality.eyeDistancePx < LEAST.eyeDistancePx) reasons.push('too_small');
  if (quality.brightness < LEAST.brightness) reasons.push('too_dark');
  if (quality.sharpness < LEAST.sharpness) reasons.push('blurred');
  return reasons;
}

/** Whether a whole picture is so dark that a face in it may not have been seen. */
export function isDark({ levels }: Pyramid): boolean {
  const { data } = levels.at(-1) as RgbImage;
  return data.reduce((sum, value) => sum + value, 0) / data.length < LEAST.brightness;
}

function greyOf(rgb: Uint8Array): Uint8Array {
  const grey = new Uint8Array(rgb.length / 3);
  for (let at = 0; at < grey.length; at++) {
    const [r, g, b] = rgb.subarray(at * 3, at * 3 + 3) as unknown as [number, number, number];
    grey[at] = (r * 299 + g * 587 + b * 114) / 1000;
  }
  return grey;
}

/** Each pixel the mean of a block of the chip. */
function coarse(grey: Uint8Array): Uint8Array {
  const side = CHIP_SIDE_PX / COARSE_PX;
  return Uint8Array.from({ length: side * side }, (_, at) => {
    const corner = Math.floor(at / side) * COARSE_PX * CHIP_SIDE_PX + (at % side) * COARSE_PX;
    let sum = 0;
    for (let y = 0; y < COARSE_PX; y++)
      for (let x = 0; x < COARSE_PX; x++) sum += grey[corner + y * CHIP_SIDE_PX + x] as number;
    return sum / COARSE_PX ** 2;
  });
}

/** Variance of the Laplacian over the middle of a square picture, after its contrast was stretched to a standard deviation of 50. */
function sharpnessOf(grey: Uint8Array, side: number): number {
  const margin = Math.round(side / 6);
  let [count, sum, squares, light, lightSquares] = [0, 0, 0, 0, 0];
  for (let y = margin; y < side - margin; y++) {
    for (let x = margin; x < side - margin; x++) {
      const at = y * side + x;
      const value = grey[at] as number;
      const around =
        (grey[at - 1] as number) + (grey[at + 1] as number) + (grey[at - side] as number) + (grey[at + side] as number);
      const laplacian = around - 4 * value;
      count += 1;
      sum += laplacian;
      squares += laplacian * laplacian;
      light += value;
      lightSquares += value * value;
    }
  }
  const variance = (total: number, ofSquares: number) => ofSquares / count - (total / count) ** 2;
  return (variance(sum, squares) * 2500) / Math.max(25, variance(light, lightSquares));
}
