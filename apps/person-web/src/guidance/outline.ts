import { type Edges, edgesOf } from './edges.ts';
import type { GreyFrame, Point } from './grey-frame.ts';
import { crossing, type Line, linesOf } from './lines.ts';

/** The corners of a card: top left, top right, bottom right, bottom left. Pixels of the frame that it was found in. */
export type Quad = readonly [Point, Point, Point, Point];

/** Width to height: a card (ID-1) is 1.586, the page of a passport (ID-3) 1.42; leaning away changes both. */
const RATIO = { least: 1.18, most: 2 };
/** Opposite sides of a card that leans away differ, but not by more than this. */
const LONGEST_TO_SHORTEST = 1.45;
const LEAST_AREA_SHARE = 0.06;
const SAMPLES = 28;
/** Of each side, and on average: the share that is an edge, dark to light in one and the same direction. */
const SUPPORT = { side: 0.5, mean: 0.7 };

/** Where a card lies in a frame of about 320 pixels, or null. Of several, the largest that is nearly as clear as the clearest. */
export function outlineOf(frame: GreyFrame): Quad | null {
  const edges = edgesOf(frame);
  const { level, upright } = linesOf(edges);
  const rows = pairs(level, (line) => line.distance / line.sin);
  const columns = pairs(upright, (line) => line.distance / line.cos);
  let best: { quad: Quad; worth: number } | null = null;
  for (const [top, bottom] of rows) {
    for (const [left, right] of columns) {
      const quad = quadOf(top, right, bottom, left);
      if (quad === null || !isLikeCard(quad, frame)) continue;
      const support = supportOf(quad, edges);
      if (support === 0) continue;
      const worth = support + 0.35 * Math.sqrt(areaOf(quad) / (frame.width * frame.height));
      if (best === null || worth > best.worth) best = { quad, worth };
    }
  }
  return best?.quad ?? null;
}

/** Every two lines, the one that comes first in the frame first. */
function pairs(lines: Line[], order: (line: Line) => number): [Line, Line][] {
  const sorted = [...lines].sort((one, other) => order(one) - order(other));
  return sorted.flatMap((one, nth) => sorted.slice(nth + 1).map((other): [Line, Line] => [one, other]));
}

function quadOf(top: Line, right: Line, bottom: Line, left: Line): Quad | null {
  const corners = [crossing(top, left), crossing(top, right), crossing(bottom, right), crossing(bottom, left)];
  return corners.some((corner) => corner === null) ? null : (corners as unknown as Quad);
}

const distanceBetween = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

/** Mean length of the upper and lower side, and of the left and right one. */
export function sizeOf([tl, tr, br, bl]: Quad): { width: number; height: number } {
  return {
    width: (distanceBetween(tl, tr) + distanceBetween(bl, br)) / 2,
    height: (distanceBetween(tl, bl) + distanceBetween(tr, br)) / 2,
  };
}

export function areaOf(quad: Quad): number {
  return quad.reduce((sum, { x, y }, nth) => {
    const next = quad[(nth + 1) % 4] as Point;
    return sum + (x * next.y - next.x * y) / 2;
  }, 0);
}

function isLikeCard(quad: Quad, { width, height }: GreyFrame): boolean {
  const [tl, tr, br, bl] = quad;
  if (quad.some(({ x, y }) => x < -2 || y < -2 || x > width + 2 || y > height + 2)) return false;
  if (areaOf(quad) < LEAST_AREA_SHARE * width * height) return false;
  const opposite = [
    [distanceBetween(tl, tr), distanceBetween(bl, br)],
    [distanceBetween(tl, bl), distanceBetween(tr, br)],
  ];
  if (opposite.some(([one = 0, other = 0]) => Math.max(one, other) > LONGEST_TO_SHORTEST * Math.min(one, other)))
    return false;
  const size = sizeOf(quad);
  const ratio = size.width / size.height;
  return ratio >= RATIO.least && ratio <= RATIO.most;
}

/** Mean share of the sides that is an edge of one direction; 0 when a side is too faint. */
function supportOf(quad: Quad, edges: Edges): number {
  let sum = 0;
  for (let side = 0; side < 4; side++) {
    const share = sideSupport(quad[side] as Point, quad[(side + 1) % 4] as Point, edges);
    if (share < SUPPORT.side) return 0;
    sum += share;
  }
  return sum / 4 < SUPPORT.mean ? 0 : sum / 4;
}

function sideSupport(from: Point, to: Point, edges: Edges): number {
  const length = distanceBetween(from, to);
  const normal = { x: (from.y - to.y) / length, y: (to.x - from.x) / length };
  let [lighter, darker] = [0, 0];
  for (let nth = 0; nth < SAMPLES; nth++) {
    const share = 0.06 + (0.88 * nth) / (SAMPLES - 1); // corners are round
    const slope = steepestNear(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share, normal, edges);
    if (slope > 0) lighter += 1;
    if (slope < 0) darker += 1;
  }
  return Math.max(lighter, darker) / SAMPLES;
}

/** The steepest slope along the normal within three pixels, if it is an edge and runs along the side; else 0. */
function steepestNear(x: number, y: number, normal: Point, { width, height, across, down, threshold }: Edges): number {
  let steepest = 0;
  for (let off = -3; off <= 3; off++) {
    const [px, py] = [Math.round(x + normal.x * off), Math.round(y + normal.y * off)];
    if (px < 1 || py < 1 || px >= width - 1 || py >= height - 1) continue;
    const at = py * width + px;
    const [gx, gy] = [across[at] as number, down[at] as number];
    const along = gx * normal.x + gy * normal.y;
    if (Math.abs(along) < 0.85 * Math.hypot(gx, gy) || Math.abs(along) < 0.5 * threshold) continue;
    if (Math.abs(along) > Math.abs(steepest)) steepest = along;
  }
  return steepest;
}
