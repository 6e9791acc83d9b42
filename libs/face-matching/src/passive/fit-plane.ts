import { applied, fitSimilarity } from '../align.ts';
import type { PlanePoint } from './track-points.ts';

/** A point of one frame, and where it is in another. */
export interface Match {
  from: PlanePoint;
  to: PlanePoint;
}

/** What a mapping leaves of each match: where the point is, less where the mapping puts it. */
export type Residuals = PlanePoint[];

/** Share of the matches that fit worst and are left out of the second fit: points that were tracked wrongly. */
const TRIMMED = 0.15;

/** What is left after the turn, scale and shift that fit best. */
export function similarityResiduals(matches: readonly Match[]): Residuals {
  return trimmedFit(matches, (kept) => {
    const fitted = fitSimilarity(
      kept.map(({ from }) => from),
      kept.map(({ to }) => to),
    );
    return (point) => applied(fitted, point);
  });
}

/** What is left after the homography that fits best: how a plane moves, seen by a camera without distortion. */
export function homographyResiduals(matches: readonly Match[]): Residuals {
  return trimmedFit(matches, homography);
}

type Mapping = (point: PlanePoint) => PlanePoint;

function trimmedFit(matches: readonly Match[], fit: (kept: readonly Match[]) => Mapping): Residuals {
  const first = leftBy(matches, fit(matches));
  const sizes = first.map(({ x, y }) => Math.hypot(x, y));
  const limit = sizes.toSorted((a, b) => a - b)[Math.floor((sizes.length - 1) * (1 - TRIMMED))] as number;
  return leftBy(matches, fit(matches.filter((_, nth) => (sizes[nth] as number) <= limit)));
}

const leftBy = (matches: readonly Match[], mapping: Mapping): Residuals =>
  matches.map(({ from, to }) => {
    const at = mapping(from);
    return { x: to.x - at.x, y: to.y - at.y };
  });

/** Direct linear fit with the last coefficient 1, in units of the points' spread around their middle. */
function homography(matches: readonly Match[]): Mapping {
  const [from, to] = [unitsOf(matches.map((each) => each.from)), unitsOf(matches.map((each) => each.to))];
  const normal = Array.from({ length: 8 }, () => new Float64Array(9));
  for (const match of matches) {
    const [{ x, y }, { x: u, y: v }] = [from.into(match.from), to.into(match.to)];
    addEquation(normal, [x, y, 1, 0, 0, 0, -u * x, -u * y, u]);
    addEquation(normal, [0, 0, 0, x, y, 1, -v * x, -v * y, v]);
  }
  const [a, b, c, d, e, f, g, h] = solved(normal) as [number, number, number, number, number, number, number, number];
  return (point) => {
    const { x, y } = from.into(point);
    const depth = g * x + h * y + 1;
    return to.back({ x: (a * x + b * y + c) / depth, y: (d * x + e * y + f) / depth });
  };
}

function unitsOf(points: PlanePoint[]) {
  const n = points.length;
  const [cx, cy] = [points.reduce((sum, { x }) => sum + x, 0) / n, points.reduce((sum, { y }) => sum + y, 0) / n];
  const size = Math.sqrt(points.reduce((sum, { x, y }) => sum + (x - cx) ** 2 + (y - cy) ** 2, 0) / n) || 1;
  return {
    into: ({ x, y }: PlanePoint) => ({ x: (x - cx) / size, y: (y - cy) / size }),
    back: ({ x, y }: PlanePoint) => ({ x: x * size + cx, y: y * size + cy }),
  };
}

function addEquation(normal: Float64Array[], row: number[]): void {
  for (let i = 0; i < 8; i++) {
    const into = normal[i] as Float64Array;
    for (let j = 0; j < 9; j++) into[j] = (into[j] as number) + (row[i] as number) * (row[j] as number);
  }
}

/** Gauss-Jordan with a small ridge, so that points on a line have an answer too. */
function solved(rows: Float64Array[]): number[] {
  const size = rows.length;
  rows.forEach((row, at) => (row[at] = (row[at] as number) + 1e-9));
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(cell(rows, row, column)) > Math.abs(cell(rows, pivot, column))) pivot = row;
    }
    const kept = rows[column] as Float64Array;
    rows[column] = rows[pivot] as Float64Array;
    rows[pivot] = kept;
    const divisor = cell(rows, column, column) || 1e-12;
    for (let at = 0; at <= size; at++) (rows[column] as Float64Array)[at] = cell(rows, column, at) / divisor;
    for (let row = 0; row < size; row++) {
      const factor = row === column ? 0 : cell(rows, row, column);
      if (factor === 0) continue;
      for (let at = 0; at <= size; at++) {
        (rows[row] as Float64Array)[at] = cell(rows, row, at) - factor * cell(rows, column, at);
      }
    }
  }
  return rows.map((row) => row[size] as number);
}

const cell = (rows: Float64Array[], row: number, column: number) => (rows[row] as Float64Array)[column] as number;
