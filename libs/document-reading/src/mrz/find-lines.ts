import { localMeans } from '../image/grey-image.ts';
import type { GreyImage } from '../image/grey-image.ts';
import type { Point } from '../image/homography.ts';

/** A connected piece of ink of a character's size. */
export interface Blob {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Ink: clearly darker than its surroundings of about a character. */
function inkOf(image: GreyImage, radius: number): Uint8Array {
  const means = localMeans(image, radius);
  const ink = new Uint8Array(image.data.length);
  for (let at = 0; at < ink.length; at++) {
    const mean = means[at] as number;
    ink[at] = (image.data[at] as number) < mean - Math.max(7, 0.13 * mean) ? 1 : 0;
  }
  return ink;
}

/** Pieces of ink whose longer side lies between `least` and `most` pixels. */
export function blobsOf(image: GreyImage, radius: number, least: number, most: number): Blob[] {
  const { width, height } = image;
  const ink = inkOf(image, radius);
  const stack = new Int32Array(width * height);
  const blobs: Blob[] = [];
  for (let start = 0; start < ink.length; start++) {
    if (ink[start] !== 1) continue;
    const blob = flooded(ink, width, height, start, stack);
    const side = Math.max(blob.width, blob.height);
    if (side >= least && side <= most) blobs.push(blob);
  }
  return blobs;
}

/** Takes a piece out of the ink; its place is the middle of its box. */
function flooded(ink: Uint8Array, width: number, height: number, start: number, stack: Int32Array): Blob {
  let depth = 0;
  let [left, right, top, bottom] = [width, 0, height, 0];
  stack[depth++] = start;
  ink[start] = 2;
  while (depth > 0) {
    const at = stack[--depth] as number;
    const x = at % width;
    const y = (at - x) / width;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
    for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
      for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
        const next = row * width + column;
        if (ink[next] !== 1) continue;
        ink[next] = 2;
        stack[depth++] = next;
      }
    }
  }
  return { x: (left + right) / 2, y: (top + bottom) / 2, width: right - left + 1, height: bottom - top + 1 };
}

/** Characters that stand in a row, in reading order or its reverse. */
export interface TextLine {
  points: Blob[];
  /** Median distance from one to the next. */
  pitch: number;
}

/**
 * Rows of at least `least` characters at nearly equal distances, whatever their angle: chains of blobs, each linked to the
 * nearest one on its right along the direction in which most nearest neighbours lie.
 */
export function textLines(blobs: readonly Blob[], least: number): { lines: TextLine[]; angle: number } {
  const grid = new Neighbourhood(blobs);
  const angle = rowDirection(blobs, grid);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const next = blobs.map((blob, index) => rightNeighbour(blobs, grid, index, blob, cos, sin));
  const previous = new Int32Array(blobs.length).fill(-1);
  next.forEach((to, from) => {
    if (to < 0) return;
    const known = previous[to] as number;
    const reach = (other: number) => Math.hypot((blobs[other] as Blob).x - (blobs[to] as Blob).x, (blobs[other] as Blob).y - (blobs[to] as Blob).y); // prettier-ignore
    if (known < 0 || reach(from) < reach(known)) previous[to] = from;
  });
  const lines: TextLine[] = [];
  blobs.forEach((_, start) => {
    if ((previous[start] as number) >= 0) return;
    const chain = [start];
    for (let at = next[start] as number; at >= 0 && previous[at] === chain.at(-1); at = next[at] as number)
      chain.push(at);
    if (chain.length < least) return;
    const points = chain.map((at) => blobs[at] as Blob);
    lines.push({ points, pitch: medianGap(points) });
  });
  return { lines, angle };
}

function medianGap(points: readonly Point[]): number {
  const gaps = points
    .slice(1)
    .map((point, at) => Math.hypot(point.x - (points[at] as Point).x, point.y - (points[at] as Point).y));
  return gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 0;
}

/** The nearest blob of a like size ahead, at most about three characters away. */
function rightNeighbour(
  blobs: readonly Blob[],
  grid: Neighbourhood,
  index: number,
  blob: Blob,
  cos: number,
  sin: number,
): number {
  const size = Math.max(blob.width, blob.height);
  let best = -1;
  let bestCost = Infinity;
  for (const other of grid.around(blob, 3.4 * size)) {
    if (other === index) continue;
    const to = blobs[other] as Blob;
    const [dx, dy] = [to.x - blob.x, to.y - blob.y];
    const [ahead, aside] = [dx * cos + dy * sin, Math.abs(dy * cos - dx * sin)];
    const otherSize = Math.max(to.width, to.height);
    if (ahead < 0.4 * size || aside > 0.32 * size + 0.12 * ahead) continue;
    if (otherSize < 0.5 * size || otherSize > 2 * size) continue;
    const cost = ahead + 2 * aside;
    if (cost < bestCost) [best, bestCost] = [other, cost];
  }
  return best;
}

/** The direction (0 to π) in which most blobs have their nearest neighbour of like size. */
function rowDirection(blobs: readonly Blob[], grid: Neighbourhood): number {
  const BINS = 90;
  const votes = new Float32Array(BINS);
  blobs.forEach((blob, index) => {
    const size = Math.max(blob.width, blob.height);
    let [nearest, reach] = [-1, Infinity];
    for (const other of grid.around(blob, 2.2 * size)) {
      const to = blobs[other] as Blob;
      const distance = Math.hypot(to.x - blob.x, to.y - blob.y);
      const alike = Math.max(to.width, to.height) / size;
      if (other !== index && alike > 0.6 && alike < 1.67 && distance > 0.5 * size && distance < reach) {
        [nearest, reach] = [other, distance];
      }
    }
    if (nearest < 0) return;
    const to = blobs[nearest] as Blob;
    const angle = (Math.atan2(to.y - blob.y, to.x - blob.x) + 2 * Math.PI) % Math.PI;
    const bin = Math.floor((angle / Math.PI) * BINS) % BINS;
    votes[bin] = (votes[bin] as number) + 1;
  });
  const around = (bin: number) =>
    [-2, -1, 0, 1, 2].reduce(
      (sum, step) => sum + (votes[(bin + step + BINS) % BINS] as number) * (3 - Math.abs(step)),
      0,
    );
  let best = 0;
  for (let bin = 1; bin < BINS; bin++) if (around(bin) > around(best)) best = bin;
  return ((best + 0.5) / BINS) * Math.PI;
}

/** Blobs by cells of 32 pixels, so that looking around one does not look at all. */
class Neighbourhood {
  static readonly #CELL = 32;
  readonly #cells = new Map<number, number[]>();
  constructor(blobs: readonly Blob[]) {
    blobs.forEach(({ x, y }, index) => {
      const key = Neighbourhood.#key(Math.floor(x / Neighbourhood.#CELL), Math.floor(y / Neighbourhood.#CELL));
      const cell = this.#cells.get(key);
      if (cell) cell.push(index);
      else this.#cells.set(key, [index]);
    });
  }

  static #key(column: number, row: number): number {
    return row * 4096 + column;
  }

  *around({ x, y }: Blob, reach: number): Generator<number> {
    const cell = (value: number) => Math.floor(value / Neighbourhood.#CELL);
    for (let row = cell(y - reach); row <= cell(y + reach); row++) {
      for (let column = cell(x - reach); column <= cell(x + reach); column++) {
        yield* this.#cells.get(Neighbourhood.#key(column, row)) ?? [];
      }
    }
  }
}
