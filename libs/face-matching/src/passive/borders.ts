import type { Box } from '../find-faces.ts';
import { type GreyImage, gradientsOf, greyAt, halvedGrey } from './grey-image.ts';

/** Degrees by which a border may lean. */
const MOST_LEAN = 14;
const LEAN_STEP = 1.4;
/** Difference per pixel of a frame half its size that counts as an edge. */
const LEAST_EDGE = 5;
/** Share of a line that has to be an edge, always from dark to bright or always the other way. */
const LEAST_SUPPORT = 0.82;
const SAMPLES = 64;
/** Of the frame's side, at its own edges, where nothing is looked for. */
const MARGIN = 0.025;

/** On how many sides of the face (0 to 4) a straight border lies that is longer than the face: of a device, a sheet, a card. */
export function borderSides(frame: GreyImage, face: Box): number {
  const half = halvedGrey(frame);
  const { x, y } = gradientsOf(half);
  const box = { left: face.left / 2, top: face.top / 2, right: face.right / 2, bottom: face.bottom / 2 };
  const upright = { edges: { ...half, data: x }, along: [box.top, box.bottom], across: [box.left, box.right], size: half.width, length: half.height, flip: false } as const; // prettier-ignore
  const lying = { edges: { ...half, data: y }, along: [box.left, box.right], across: [box.top, box.bottom], size: half.height, length: half.width, flip: true } as const; // prettier-ignore
  return [upright, lying].reduce(
    (sides, axis) => sides + Number(hasBorder(axis, 'before')) + Number(hasBorder(axis, 'behind')),
    0,
  );
}

interface Axis {
  /** Differences across the border. */
  edges: GreyImage;
  /** Where the face begins and ends along the border, and across it. */
  along: readonly [number, number];
  across: readonly [number, number];
  size: number;
  length: number;
  /** Whether `along` is x. */
  flip: boolean;
}

function hasBorder(axis: Axis, where: 'before' | 'behind'): boolean {
  const { along, across, size, length } = axis;
  const [faceLength, faceWidth] = [along[1] - along[0], across[1] - across[0]];
  const middle = (along[0] + along[1]) / 2;
  const reach = 0.75 * faceLength;
  const [from, to] = [Math.max(length * MARGIN, middle - reach), Math.min(length * (1 - MARGIN), middle + reach)];
  const [first, last] =
    where === 'before'
      ? [size * MARGIN, across[0] - 0.04 * faceWidth]
      : [across[1] + 0.04 * faceWidth, size * (1 - MARGIN)];
  for (let offset = first; offset <= last; offset += 0.8) {
    for (let lean = -MOST_LEAN; lean <= MOST_LEAN; lean += LEAN_STEP) {
      if (support(axis, offset, Math.tan((lean * Math.PI) / 180), from, to, middle) >= LEAST_SUPPORT) return true;
    }
  }
  return false;
}

/** Share of a line's samples that are edges of one direction, less those of the other. */
function support(
  { edges, flip, size }: Axis,
  offset: number,
  slope: number,
  from: number,
  to: number,
  middle: number,
): number {
  // prettier-ignore
  let signs = 0;
  for (let nth = 0; nth < SAMPLES; nth++) {
    const at = from + ((to - from) * (nth + 0.5)) / SAMPLES;
    const across = offset + slope * (at - middle);
    if (across < 1 || across > size - 2) continue;
    const value = flip ? greyAt(edges, at, across) : greyAt(edges, across, at);
    if (Math.abs(value) >= LEAST_EDGE) signs += Math.sign(value);
    // Too much is missing already for the rest to make up for it.
    if (nth + 1 - Math.abs(signs) > 2 * SAMPLES * (1 - LEAST_SUPPORT)) return 0;
  }
  return Math.abs(signs) / SAMPLES;
}
