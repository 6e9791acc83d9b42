import { ontoCorners } from '../image/homography.ts';
import type { Point } from '../image/homography.ts';
import type { GreyImage } from '../image/grey-image.ts';
import { warped } from '../image/warp.ts';

const BLOCK = 8;
/** Blocks whose bars lean more than this from the barcode's are no part of it (perspective spreads them by about 10°). */
const SPREAD = (18 * Math.PI) / 180;

/** Where bars run: four corners clockwise from the upper left as the rows read, and the lean of its rows in degrees. */
export interface BarcodePlace {
  corners: [Point, Point, Point, Point];
  leanDegrees: number;
}

interface Blocks {
  columns: number;
  rows: number;
  /** Mean squared gradient. */
  energy: Float32Array;
  /** 0 (all directions) to 1 (one direction). */
  coherence: Float32Array;
  /** Direction of the gradient, across the bars, -π/2 to π/2. */
  angle: Float32Array;
}

/**
 * The largest region of parallel bars, by the structure tensor of small blocks: a barcode's gradients point one way, those
 * of text and faces do not. Null when there is none of a barcode's size.
 */
export function findBarcode(image: GreyImage): BarcodePlace | null {
  const blocks = structureOf(image);
  const threshold = Math.max(60, 0.22 * percentile(blocks.energy, 0.97));
  const strong = (at: number) => (blocks.energy[at] as number) > threshold && (blocks.coherence[at] as number) > 0.3;
  const across = dominantAngle(blocks, strong);
  if (across === null) return null;
  const region = largestRegion(blocks, (at) => strong(at) && angleBetween(blocks.angle[at] as number, across) < SPREAD);
  if (region.length < 60) return null;
  const place = placeOf(blocks, region, meanAngle(blocks, region));
  return place && plausible(place, Math.max(image.width, image.height)) ? place : null;
}

/** Wide enough to be read, and of a shape that a PDF417 can have; edges and combs of lines are not. */
function plausible({ corners: [a, b, c, d] }: BarcodePlace, side: number): boolean {
  const across = (distance(a, b) + distance(d, c)) / 2;
  const along = (distance(a, d) + distance(b, c)) / 2;
  return across > 0.12 * side && along > 24 && across / along > 1.6 && across / along < 7;
}

/** The barcode seen straight on, `width` pixels wide, with a margin. `upside` shows it the other way up. */
export function straightened(image: GreyImage, { corners }: BarcodePlace, width: number): GreyImage {
  const [a, b, c, d] = corners;
  const across = (distance(a, b) + distance(d, c)) / 2;
  const along = (distance(a, d) + distance(b, c)) / 2;
  const height = Math.max(40, Math.round((width * along) / across));
  const margin = Math.round(0.04 * width);
  const inner = ontoCorners(width, height, corners);
  const shift = (map: typeof inner): typeof inner => {
    const w = 1 - map[6] * margin - map[7] * margin;
    const [x, y] = [map[2] - (map[0] + map[1]) * margin, map[5] - (map[3] + map[4]) * margin];
    return [map[0] / w, map[1] / w, x / w, map[3] / w, map[4] / w, y / w, map[6] / w, map[7] / w, 1];
  };
  return warped(image, shift(inner), width + 2 * margin, height + 2 * margin);
}

const distance = (from: Point, to: Point): number => Math.hypot(from.x - to.x, from.y - to.y);

function structureOf(image: GreyImage): Blocks {
  const { width, height, data } = image;
  const [columns, rows] = [Math.floor(width / BLOCK), Math.floor(height / BLOCK)];
  const tensor = [0, 1, 2].map(() => new Float32Array(columns * rows)) as [Float32Array, Float32Array, Float32Array];
  const [xx, yy, xy] = tensor;
  for (let y = 1; y < rows * BLOCK - 1; y++) {
    const row = Math.floor(y / BLOCK) * columns;
    for (let x = 1; x < columns * BLOCK - 1; x++) {
      const at = y * width + x;
      const dx = (data[at + 1] as number) - (data[at - 1] as number);
      const dy = (data[at + width] as number) - (data[at - width] as number);
      const block = row + (x >> 3);
      xx[block] = (xx[block] as number) + dx * dx;
      yy[block] = (yy[block] as number) + dy * dy;
      xy[block] = (xy[block] as number) + dx * dy;
    }
  }
  const [sxx, syy, sxy] = tensor.map((each) => neighbourSums(each, columns, rows)) as typeof tensor;
  const blocks: Blocks = {
    columns,
    rows,
    energy: new Float32Array(columns * rows),
    coherence: new Float32Array(columns * rows),
    angle: new Float32Array(columns * rows),
  };
  for (let at = 0; at < columns * rows; at++) {
    const [a, b, c] = [sxx[at] as number, syy[at] as number, sxy[at] as number];
    blocks.energy[at] = (a + b) / (9 * BLOCK * BLOCK);
    blocks.coherence[at] = Math.hypot(a - b, 2 * c) / (a + b + 1);
    blocks.angle[at] = Math.atan2(2 * c, a - b) / 2;
  }
  return blocks;
}

/** Sums over three by three blocks. */
function neighbourSums(values: Float32Array, columns: number, rows: number): Float32Array {
  const sums = new Float32Array(values.length);
  for (let y = 1; y < rows - 1; y++) {
    for (let x = 1; x < columns - 1; x++) {
      let sum = 0;
      for (let dy = -1; dy <= 1; dy++) {
        const at = (y + dy) * columns + x;
        sum += (values[at - 1] as number) + (values[at] as number) + (values[at + 1] as number);
      }
      sums[y * columns + x] = sum;
    }
  }
  return sums;
}

function percentile(values: Float32Array, part: number): number {
  const sorted = Float32Array.from(values).sort();
  return sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
}

/** Between two directions without a sense, 0 to π/2. */
function angleBetween(one: number, other: number): number {
  const turn = Math.abs(one - other) % Math.PI;
  return Math.min(turn, Math.PI - turn);
}

function dominantAngle({ angle, coherence }: Blocks, strong: (at: number) => boolean): number | null {
  const BINS = 60;
  const votes = new Float32Array(BINS);
  let any = false;
  for (let at = 0; at < angle.length; at++) {
    if (!strong(at)) continue;
    any = true;
    const bin = Math.floor((((angle[at] as number) / Math.PI + 0.5) * BINS) % BINS);
    votes[bin] = (votes[bin] as number) + (coherence[at] as number);
  }
  if (!any) return null;
  const around = (bin: number) =>
    [-2, -1, 0, 1, 2].reduce((sum, step) => sum + (votes[(bin + step + BINS) % BINS] as number), 0);
  let best = 0;
  for (let bin = 1; bin < BINS; bin++) if (around(bin) > around(best)) best = bin;
  return ((best + 0.5) / BINS - 0.5) * Math.PI;
}

function meanAngle({ angle, coherence }: Blocks, region: readonly number[]): number {
  let [x, y] = [0, 0];
  for (const at of region) {
    x += (coherence[at] as number) * Math.cos(2 * (angle[at] as number));
    y += (coherence[at] as number) * Math.sin(2 * (angle[at] as number));
  }
  return Math.atan2(y, x) / 2;
}

/** The largest set of blocks that touch, or lie one block apart. */
function largestRegion({ columns, rows }: Blocks, belongs: (at: number) => boolean): number[] {
  const seen = new Uint8Array(columns * rows);
  let largest: number[] = [];
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] || !belongs(start)) continue;
    const region = [start];
    seen[start] = 1;
    for (let next = 0; next < region.length; next++) grow(region, region[next] as number);
    if (region.length > largest.length) largest = region;
  }
  return largest;

  function grow(region: number[], at: number): void {
    const [x, y] = [at % columns, Math.floor(at / columns)];
    for (let row = Math.max(0, y - 2); row <= Math.min(rows - 1, y + 2); row++) {
      for (let column = Math.max(0, x - 2); column <= Math.min(columns - 1, x + 2); column++) {
        const neighbour = row * columns + column;
        if (seen[neighbour] || !belongs(neighbour)) continue;
        seen[neighbour] = 1;
        region.push(neighbour);
      }
    }
  }
}

interface Line {
  offset: number;
  slope: number;
}

/** The quadrilateral around a region: a straight line along each of its four sides, in a frame turned with the bars. */
function placeOf({ columns }: Blocks, region: readonly number[], across: number): BarcodePlace | null {
  const [cos, sin] = [Math.cos(across), Math.sin(across)];
  const points = region.map((at) => {
    const [x, y] = [((at % columns) + 0.5) * BLOCK, (Math.floor(at / columns) + 0.5) * BLOCK];
    return { x: x * cos + y * sin, y: -x * sin + y * cos };
  });
  const flipped = points.map(({ x, y }) => ({ x: y, y: x }));
  const sides = [side(points, -1), side(flipped, 1), side(points, 1), side(flipped, -1)];
  if (sides.some((line) => line === null)) return null;
  const [top, right, bottom, left] = sides as [Line, Line, Line, Line];
  const meeting = (level: Line, upright: Line): Point => {
    const x = (upright.offset + upright.slope * level.offset) / (1 - upright.slope * level.slope);
    const y = level.offset + level.slope * x;
    return { x: x * cos - y * sin, y: x * sin + y * cos };
  };
  return {
    corners: [meeting(top, left), meeting(top, right), meeting(bottom, right), meeting(bottom, left)],
    leanDegrees: (across * 180) / Math.PI,
  };
}

/** A line through the outermost points on one side (`sense` -1: smallest y), as y over x; outliers are left out. */
function side(points: readonly Point[], sense: 1 | -1): Line | null {
  const outermost = new Map<number, Point>();
  for (const point of points) {
    const bin = Math.floor(point.x / BLOCK);
    const known = outermost.get(bin);
    if (!known || sense * (point.y - known.y) > 0) outermost.set(bin, point);
  }
  const edge = [...outermost.values()].map(({ x, y }) => ({ x, y: y + sense * 0.5 * BLOCK }));
  let kept = edge;
  let line = fitted(kept);
  for (let round = 0; round < 6 && line !== null; round++) {
    const { offset, slope } = line;
    const residual = ({ x, y }: Point) => Math.abs(y - offset - slope * x);
    const bound = Math.max(0.75 * BLOCK, 1.5 * median(kept.map(residual)));
    kept = edge.filter((point) => residual(point) <= bound);
    line = fitted(kept);
  }
  return line;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

function fitted(points: readonly Point[]): Line | null {
  if (points.length < 3) return null;
  const n = points.length;
  const [mx, my] = points.reduce(([x, y], each) => [x + each.x / n, y + each.y / n], [0, 0]);
  const sxx = points.reduce((sum, { x }) => sum + (x - mx) ** 2, 0);
  const sxy = points.reduce((sum, { x, y }) => sum + (x - mx) * (y - my), 0);
  if (sxx < 1) return null;
  const slope = sxy / sxx;
  return { slope, offset: my - slope * mx };
}
