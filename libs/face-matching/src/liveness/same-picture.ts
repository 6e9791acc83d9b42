import { mirrored } from '../image/rgb-image.ts';

/** Side of the shrunken picture that is compared. */
export const THUMBNAIL_SIDE_PX = 64;
/** Mean difference of a colour value (0 to 255), brightness and contrast made equal, up to which two pictures are one. */
const ALIKE = 2.5;
const SPREAD = 50;

/**
 * Whether two thumbnails are of one picture, however it was encoded, or of one and its mirror image: a photo of a turn to one side
 * makes none of a turn to the other. Pictures taken one after the other differ by more, as nobody holds still.
 */
export function isSamePicture(one: Uint8Array, other: Uint8Array): boolean {
  return difference(one, other) <= ALIKE || difference(one, mirrored(other, THUMBNAIL_SIDE_PX)) <= ALIKE;
}

function difference(one: Uint8Array, other: Uint8Array): number {
  const [a, b] = [levelled(one), levelled(other)];
  return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] as number)), 0) / a.length;
}

function levelled(values: Uint8Array): Float32Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1;
  return Float32Array.from(values, (value) => ((value - mean) / spread) * SPREAD);
}
