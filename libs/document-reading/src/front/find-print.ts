import type { GreyImage } from '../image/grey-image.ts';
import { blobsOf, textLines } from '../mrz/find-lines.ts';
import type { Blob, TextLine } from '../mrz/find-lines.ts';
import type { PrintedLine } from './print-strip.ts';

const SMALLEST_CAP_PX = 9;
/** Wider gaps (in heights of capitals) part two texts that stand side by side. */
const GAP = 1.5;

/** The direction in which the picture's text runs, degrees; its reverse looks the same. */
export function printDirection(image: GreyImage): number {
  return (textLines(printBlobs(image), 4).angle * 180) / Math.PI;
}

/** Lines of print in a picture whose text runs level, within a few degrees. */
export function printedLines(image: GreyImage): PrintedLine[] {
  const blobs = printBlobs(image);
  const found = textLines(blobs, 3)
    .lines.filter(({ points }) => Math.abs(leanOf(points)) < 0.25)
    .sort((one, other) => other.points.length - one.points.length)
    .flatMap((line) => segments(line, blobs));
  return found.filter((line, at) => !found.slice(0, at).some((other) => overlaps(line, other)));
}

function printBlobs(image: GreyImage): Blob[] {
  const side = Math.max(image.width, image.height);
  const blobs = blobsOf(image, Math.round(side * 0.012), SMALLEST_CAP_PX / 2, side / 8);
  return blobs.length > 6000 ? [] : blobs;
}

function leanOf(points: readonly Blob[]): number {
  const [first, last] = [points[0] as Blob, points.at(-1) as Blob];
  return Math.atan2(last.y - first.y, Math.abs(last.x - first.x) + 1e-6);
}

/** A chain gives baseline and height; all ink on that line belongs to it, letters grown together too. */
function segments({ points }: TextLine, blobs: readonly Blob[]): PrintedLine[] {
  const heights = points.map(({ height }) => height).sort((a, b) => a - b);
  const cap = heights[Math.floor(heights.length * 0.6)] as number;
  const base = baselineOf(points, cap);
  if (base === null || cap < SMALLEST_CAP_PX) return [];
  const on = blobs
    .filter(({ x, y, width, height }) => {
      const above = base.offset + base.slope * x - y;
      return above > 0.2 * cap && above < 0.85 * cap && height > 0.5 * cap && height < 1.6 * cap && width < 12 * cap;
    })
    .sort((one, other) => one.x - other.x);
  const parts: Blob[][] = [];
  for (const blob of on) {
    const before = parts.at(-1)?.at(-1);
    const gap = before ? blob.x - blob.width / 2 - (before.x + before.width / 2) : Infinity;
    if (gap < GAP * cap) parts.at(-1)?.push(blob);
    else parts.push([blob]);
  }
  return parts
    .filter((part) => part.length >= 2)
    .map((part) => {
      const [first, last] = [part[0] as Blob, part.at(-1) as Blob];
      const x = first.x - first.width / 2;
      return { x, y: base.offset + base.slope * x, length: last.x + last.width / 2 - x, slope: base.slope, cap };
    });
}

/** A straight line under the characters, outliers (Q, commas, accents) left out: y of the edge between ink and paper. */
function baselineOf(points: readonly Blob[], cap: number): { offset: number; slope: number } | null {
  let kept = points.map(({ x, y, height }) => ({ x, y: y + height / 2 }));
  let line: { offset: number; slope: number } | null = null;
  for (const bound of [0.25, 0.12]) {
    const n = kept.length;
    const [mx, my] = kept.reduce(([x, y], each) => [x + each.x / n, y + each.y / n], [0, 0]);
    const spread = kept.reduce((sum, { x }) => sum + (x - mx) ** 2, 0);
    if (n < 2 || spread < 1) return line;
    const slope = kept.reduce((sum, { x, y }) => sum + (x - mx) * (y - my), 0) / spread;
    const fit = { slope, offset: my - slope * mx };
    line = fit;
    kept = kept.filter(({ x, y }) => Math.abs(y - fit.offset - fit.slope * x) < bound * cap);
  }
  return line;
}

function overlaps(one: PrintedLine, other: PrintedLine): boolean {
  const from = Math.max(one.x, other.x);
  const to = Math.min(one.x + one.length, other.x + other.length);
  const at = (line: PrintedLine) => line.y + line.slope * ((from + to) / 2 - line.x);
  return (
    to - from > 0.5 * Math.min(one.length, other.length) &&
    Math.abs(at(one) - at(other)) < 0.5 * Math.max(one.cap, other.cap)
  );
}
