import { type Gradients, type GreyImage, gradientsOf, greyAt, halvedGrey } from './grey-image.ts';

export interface PlanePoint {
  x: number;
  y: number;
}

/** A frame and its halvings. */
export type GreyPyramid = GreyImage[];

const LEVELS = 4;
const WINDOW = 6;
const SPAN = 2 * WINDOW + 1;
const MOST_STEPS = 10;
const SETTLED_PX = 0.02;
/** Mean difference of a window that was found again, in shares of its contrast: above, it is another thing. */
const MOST_DIFFERENCE = 0.45;

export function greyPyramid(image: GreyImage): GreyPyramid {
  const levels = [image];
  while (levels.length < LEVELS && Math.min(image.width, image.height) >> levels.length >= 4 * SPAN) {
    levels.push(halvedGrey(levels.at(-1) as GreyImage));
  }
  return levels;
}

/** What is looked for: the window around a point at one level, its gradients, and their sums. */
interface Template {
  at: PlanePoint;
  values: Float32Array;
  x: Float32Array;
  y: Float32Array;
  xx: number;
  xy: number;
  yy: number;
  determinant: number;
}

/** Finds points of one frame again in others: Lucas-Kanade on pyramids, brightness and contrast of each window made equal. */
export class PointTracker {
  /** By level, for each point; null where there is nothing to hold on to. */
  readonly #templates: (Template | null)[][];

  constructor(
    pyramid: GreyPyramid,
    private readonly points: readonly PlanePoint[],
  ) {
    this.#templates = pyramid.map((image, level) => {
      const gradients = gradientsOf(image);
      const part = 1 / 2 ** level;
      return points.map(({ x, y }) => templateAt(image, gradients, { x: (x + 0.5) * part - 0.5, y: (y + 0.5) * part - 0.5 })); // prettier-ignore
    });
  }

  /** Where each point is in the other frame, to a fraction of a pixel; null when it was lost. */
  find(other: GreyPyramid): (PlanePoint | null)[] {
    return this.points.map((point, nth) => {
      let shift = { x: 0, y: 0 };
      for (let level = this.#templates.length - 1; level >= 0; level--) {
        const template = this.#templates[level]?.[nth] ?? null;
        const found = template && matched(template, shift, other[level] as GreyImage, level === 0);
        if (level === 0) return found && { x: point.x + found.x, y: point.y + found.y };
        const kept = found ?? shift;
        shift = { x: kept.x * 2, y: kept.y * 2 };
      }
      return null;
    });
  }
}

/** The shift at which the window looks most like the template; `finest`: it also has to look like it. */
function matched(own: Template, start: PlanePoint, other: GreyImage, finest: boolean): PlanePoint | null {
  let [x, y] = [start.x, start.y];
  let difference = Infinity;
  for (let step = 0; step < MOST_STEPS; step++) {
    const seen = valuesAt(other, own.at.x + x, own.at.y + y);
    const spread = level(seen);
    if (spread < LEAST_SPREAD) return null;
    let [bx, by, sum] = [0, 0, 0];
    for (let nth = 0; nth < seen.length; nth++) {
      const error = (own.values[nth] as number) - (seen[nth] as number);
      bx += error * (own.x[nth] as number);
      by += error * (own.y[nth] as number);
      sum += Math.abs(error);
    }
    difference = sum / seen.length;
    const dx = (own.yy * bx - own.xy * by) / own.determinant;
    const dy = (own.xx * by - own.xy * bx) / own.determinant;
    x += dx;
    y += dy;
    if (Math.hypot(x - start.x, y - start.y) > SPAN) return null;
    if (Math.hypot(dx, dy) < SETTLED_PX) break;
  }
  return finest && difference > MOST_DIFFERENCE ? null : { x, y };
}

function templateAt(image: GreyImage, gradients: Gradients, at: PlanePoint): Template | null {
  const values = valuesAt(image, at.x, at.y);
  const spread = level(values);
  if (spread < LEAST_SPREAD) return null;
  const of = (data: Float32Array) => valuesAt({ ...image, data }, at.x, at.y).map((value) => value / spread);
  const [x, y] = [of(gradients.x), of(gradients.y)];
  let [xx, xy, yy] = [0, 0, 0];
  for (let nth = 0; nth < x.length; nth++) {
    const [gx, gy] = [x[nth] as number, y[nth] as number];
    xx += gx * gx;
    xy += gx * gy;
    yy += gy * gy;
  }
  const determinant = xx * yy - xy * xy;
  return determinant < 1e-6 ? null : { at, values, x, y, xx, xy, yy, determinant };
}

/** A window flatter than this has nothing to see, in steps of brightness. */
const LEAST_SPREAD = 1;

/** Makes the mean 0 and the standard deviation 1, in place; answers what the latter was. */
function level(values: Float32Array): number {
  let [sum, squares] = [0, 0];
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / values.length;
  const spread = Math.sqrt(Math.max(0, squares / values.length - mean * mean));
  for (let nth = 0; nth < values.length; nth++) values[nth] = ((values[nth] as number) - mean) / (spread || 1);
  return spread;
}

/** SPAN square around a point that need not lie on a pixel: the fractions are the same for all of it. */
function valuesAt(image: GreyImage, x: number, y: number): Float32Array {
  const { width, height, data } = image;
  const values = new Float32Array(SPAN * SPAN);
  const [left, top] = [Math.floor(x) - WINDOW, Math.floor(y) - WINDOW];
  const [fx, fy] = [x - Math.floor(x), y - Math.floor(y)];
  if (left < 0 || top < 0 || left + SPAN >= width || top + SPAN >= height) {
    for (let nth = 0; nth < values.length; nth++) {
      values[nth] = greyAt(image, x - WINDOW + (nth % SPAN), y - WINDOW + Math.floor(nth / SPAN));
    }
    return values;
  }
  const [a, b, c, d] = [(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy];
  for (let row = 0, nth = 0; row < SPAN; row++) {
    for (let from = (top + row) * width + left, to = from + SPAN; from < to; from++, nth++) {
      values[nth] =
        (data[from] as number) * a +
        (data[from + 1] as number) * b +
        (data[from + width] as number) * c +
        (data[from + width + 1] as number) * d;
    }
  }
  return values;
}
