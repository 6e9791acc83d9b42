import { CHIP_SIDE_PX } from '../nets/descriptor-net.ts';
import { type GreyImage, greyAt } from './grey-image.ts';

/** Structure between these two blurs is compared: finer lies what compression changes, coarser what light changes. Pixels of the chip. */
const [FINE, COARSE] = [1.5, 5];
/** The part of the aligned face that is compared: without hair and background, which a crop may lack. */
const MARGIN_PX = 22;
/** Landmarks of a copy are found a little elsewhere: steps of a search, each half as long as the one before. */
const START = { shift: 4, turn: 0.04, grow: 0.04 };
const HALVINGS = 5;

/**
 * How much of the fine structure of one aligned face is that of another, -1 to 1: a normalised correlation at the best small turn, scale
 * and shift, also in a mirror. Copies reach far more than two photographs of a person, however alike. Chips: CHIP_SIDE_PX square, RGB.
 */
export function portraitCorrelation(portrait: Uint8Array, selfie: Uint8Array): number {
  const one = structureOf(portrait);
  const seen = structureOf(selfie);
  const starts = [seen, flopped(seen)].flatMap((other) =>
    SHIFTS.map((from) => ({ other, from, value: correlation(one, other, from) })),
  );
  const nearest = starts.toSorted((a, b) => b.value - a.value).slice(0, CLIMBS);
  const best = Math.max(...nearest.map(({ other, from }) => climbed(one, other, from)));
  return Math.round(best * 1000) / 1000;
}

type Placement = [dx: number, dy: number, turn: number, grow: number];

/** Fine structure has many small summits: the climb begins at the likeliest of these. */
const SHIFTS = [-START.shift, 0, START.shift].flatMap((dx) =>
  [-START.shift, 0, START.shift].map((dy): Placement => [dx, dy, 0, 0]),
);
const CLIMBS = 3;

function climbed(one: GreyImage, other: GreyImage, from: Placement): number {
  let [placement, best] = [from, correlation(one, other, from)];
  let step: Placement = [START.shift / 2, START.shift / 2, START.turn, START.grow];
  for (let halving = 0; halving < HALVINGS; halving++) {
    for (let axis = 0; axis < step.length; axis++) {
      for (const direction of [-1, 1]) {
        const next = [...placement] as Placement;
        next[axis] = (next[axis] as number) + direction * (step[axis] as number);
        const value = correlation(one, other, next);
        if (value > best) [placement, best] = [next, value];
      }
    }
    step = step.map((each) => each / 2) as Placement;
  }
  return best;
}

/** Every other pixel: what is compared is blurred. */
const STRIDE = 2;

function correlation(one: GreyImage, other: GreyImage, [dx, dy, turn, grow]: Placement): number {
  const [c, s] = [Math.cos(turn) * (1 + grow), Math.sin(turn) * (1 + grow)];
  const middle = (CHIP_SIDE_PX - 1) / 2;
  let [n, sumA, sumB, aa, bb, ab] = [0, 0, 0, 0, 0, 0];
  for (let y = MARGIN_PX; y < CHIP_SIDE_PX - MARGIN_PX; y += STRIDE) {
    for (let x = MARGIN_PX; x < CHIP_SIDE_PX - MARGIN_PX; x += STRIDE) {
      const [u, v] = [x - middle, y - middle];
      const a = one.data[y * CHIP_SIDE_PX + x] as number;
      const b = greyAt(other, c * u - s * v + middle + dx, s * u + c * v + middle + dy);
      n += 1;
      sumA += a;
      sumB += b;
      aa += a * a;
      bb += b * b;
      ab += a * b;
    }
  }
  const spread = Math.sqrt((aa - (sumA * sumA) / n) * (bb - (sumB * sumB) / n));
  return spread < 1e-6 ? 0 : (ab - (sumA * sumB) / n) / spread;
}

/** A band of the structure, its contrast made equal everywhere, so that neither light nor a strong edge decides. */
function structureOf(chip: Uint8Array): GreyImage {
  const side = CHIP_SIDE_PX;
  const grey = Float32Array.from({ length: side * side }, (_, at) => {
    const from = at * 3;
    return ((chip[from] as number) * 299 + (chip[from + 1] as number) * 587 + (chip[from + 2] as number) * 114) / 1000;
  });
  const [fine, coarse] = [blurred(grey, FINE), blurred(grey, COARSE)];
  const band = fine.map((value, at) => value - (coarse[at] as number));
  const contrast = blurred(
    band.map((value) => value * value),
    COARSE * 2,
  );
  return { width: side, height: side, data: band.map((value, at) => value / (Math.sqrt(contrast[at] as number) + 1)) };
}

function blurred(values: Float32Array, sigma: number): Float32Array {
  const reach = Math.ceil(sigma * 3);
  const kernel = Float32Array.from({ length: 2 * reach + 1 }, (_, at) =>
    Math.exp(-((at - reach) ** 2) / (2 * sigma ** 2)),
  );
  const total = kernel.reduce((sum, value) => sum + value, 0);
  const along = (from: Float32Array, step: number, line: number) => {
    const to = new Float32Array(from.length);
    for (let l = 0; l < CHIP_SIDE_PX; l++) {
      for (let at = 0; at < CHIP_SIDE_PX; at++) {
        let sum = 0;
        for (let k = -reach; k <= reach; k++) {
          const near = Math.min(CHIP_SIDE_PX - 1, Math.max(0, at + k));
          sum += (from[l * line + near * step] as number) * (kernel[k + reach] as number);
        }
        to[l * line + at * step] = sum / total;
      }
    }
    return to;
  };
  return along(along(values, 1, CHIP_SIDE_PX), CHIP_SIDE_PX, 1);
}

function flopped({ width, height, data }: GreyImage): GreyImage {
  const other = data.map((_, at) => data[at - (at % width) + width - 1 - (at % width)] as number);
  return { width, height, data: other };
}
