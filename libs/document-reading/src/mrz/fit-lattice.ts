import { homographyBetween, mapPoint } from '../image/homography.ts';
import type { Homography, Point } from '../image/homography.ts';
import type { TextLine } from './find-lines.ts';
import { LAYOUTS } from './layout.ts';
import type { MrzFormat } from './layout.ts';

/** Where the cells of an MRZ lie: the middle of cell (column, row) is at `map(column, row)`. */
export interface Lattice {
  format: MrzFormat;
  map: Homography;
  /** Distance between neighbouring cells in the middle, pixels. */
  pitch: number;
  leanDegrees: number;
  /** How badly points and right angles fit; less is better. */
  misfit: number;
}

interface Row extends TextLine {
  /** Column of each point, from 0. */
  columns: number[];
  span: number;
  /** Position along and across the direction of reading. */
  along: number;
  across: number;
}

/** Lines are 2.5 pitches apart on paper (ICAO 9303-3: 10 characters per inch, 4 lines per inch). */
const SPACING = { least: 1.5, most: 3.6 };

/** The ways in which rows of characters can be an MRZ, the best fitting first, at most `most`. */
export function lattices(lines: readonly TextLine[], angle: number, most: number): Lattice[] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const rows = joinedUp(lines)
    .map((line) => rowOf(line, cos, sin))
    .filter(({ span }) => span >= 22 && span <= 50)
    .sort((one, other) => one.across - other.across);
  const found = (Object.keys(LAYOUTS) as MrzFormat[]).flatMap((format) =>
    groups(rows, LAYOUTS[format].lines, LAYOUTS[format].columns).flatMap((group) => fittings(group, format, angle)),
  );
  return found.sort((one, other) => one.misfit - other.misfit).slice(0, most);
}

/** Joins what a reflection or a stain has torn apart: lines that continue one another. */
function joinedUp(lines: readonly TextLine[]): TextLine[] {
  const left = [...lines].sort((one, other) => other.points.length - one.points.length);
  for (let at = 0; at < left.length; at++) {
    for (let other = 0; other < left.length; other++) {
      const [one, two] = [left[at] as TextLine, left[other] as TextLine];
      if (at === other || !continues(one, two)) continue;
      left[at] = { points: [...one.points, ...two.points], pitch: one.pitch };
      left.splice(other, 1);
      if (other < at) at -= 1;
      other = -1;
    }
  }
  return left;
}

function continues(one: TextLine, two: TextLine): boolean {
  if (Math.abs(one.pitch - two.pitch) > 0.3 * one.pitch) return false;
  const [end, start] = [one.points.at(-1) as Point, two.points[0] as Point];
  const base = one.points[Math.max(0, one.points.length - 10)] as Point;
  const length = Math.hypot(end.x - base.x, end.y - base.y);
  if (length === 0) return false;
  const [ux, uy] = [(end.x - base.x) / length, (end.y - base.y) / length];
  const [dx, dy] = [start.x - end.x, start.y - end.y];
  const ahead = dx * ux + dy * uy;
  return (
    ahead > 0.5 * one.pitch && ahead < 10 * one.pitch && Math.abs(dy * ux - dx * uy) < 0.3 * one.pitch + 0.05 * ahead
  );
}

/** Counts columns along a line: the pitch follows the perspective from gap to gap. */
function rowOf(line: TextLine, cos: number, sin: number): Row {
  const columns = [0];
  let pitch = line.pitch;
  line.points.slice(1).forEach((point, index) => {
    const before = line.points[index] as Point;
    const gap = Math.hypot(point.x - before.x, point.y - before.y);
    const steps = Math.max(1, Math.round(gap / pitch));
    if (steps === 1) pitch += 0.12 * (gap - pitch);
    columns.push((columns.at(-1) as number) + steps);
  });
  const n = line.points.length;
  const [x, y] = line.points.reduce(([sx, sy], each) => [sx + each.x / n, sy + each.y / n], [0, 0]);
  return {
    ...line,
    columns,
    span: (columns.at(-1) as number) + 1,
    along: x * cos + y * sin,
    across: y * cos - x * sin,
  };
}

/** Rows of about the right length, one under the other. */
function groups(rows: readonly Row[], count: number, columns: number): Row[][] {
  const near = (row: Row) => row.span >= columns - 4 && row.span <= columns + 2;
  const follows = (one: Row, two: Row) => {
    const gap = (two.across - one.across) / one.pitch;
    return gap > SPACING.least && gap < SPACING.most && Math.abs(two.along - one.along) < 5 * one.pitch;
  };
  let chains = rows.filter(near).map((row) => [row]);
  for (let step = 1; step < count; step++) {
    chains = chains.flatMap((chain) =>
      rows.filter((row) => near(row) && follows(chain.at(-1) as Row, row)).map((row) => [...chain, row]),
    );
  }
  return chains;
}

/** Rows may have lost characters at their ends, or won dirt: each way to put them into the grid is a fitting. */
function fittings(group: readonly Row[], format: MrzFormat, angle: number): Lattice[] {
  const { columns } = LAYOUTS[format];
  const offsets = group.map(({ span }) => {
    const slack = columns - span;
    const [least, most] = slack >= 0 ? [0, slack] : [slack, 0];
    return Array.from({ length: most - least + 1 }, (_, at) => least + at);
  });
  const combinations = offsets.reduce<number[][]>(
    (known, choices) => known.flatMap((chosen) => choices.map((choice) => [...chosen, choice])),
    [[]],
  );
  return combinations.flatMap((chosen) => fitting(group, chosen, format, angle) ?? []);
}

function fitting(group: readonly Row[], offsets: readonly number[], format: MrzFormat, angle: number): Lattice | null {
  const { columns } = LAYOUTS[format];
  let pairs = group.flatMap((row, index) =>
    row.points.map((point, at) => ({
      cell: { x: (row.columns[at] as number) + (offsets[index] as number), y: index },
      point,
    })),
  );
  pairs = pairs.filter(({ cell }) => cell.x >= 0 && cell.x < columns);
  const pitch = (group[0] as Row).pitch;
  let map: Homography | null = null;
  let error = 0;
  for (let round = 0; round < 3; round++) {
    map = homographyBetween(pairs.map(({ cell }) => cell), pairs.map(({ point }) => point)); // prettier-ignore
    if (map === null) return null;
    const fit = map;
    const residuals = pairs.map(({ cell, point }) => {
      const { x, y } = mapPoint(fit, cell.x, cell.y);
      return Math.hypot(x - point.x, y - point.y) / pitch;
    });
    error = residuals.reduce((sum, each) => sum + Math.min(each, 0.6), 0) / residuals.length;
    const kept = pairs.filter((_, at) => (residuals[at] as number) < 0.35);
    if (kept.length < 0.7 * pairs.length) return null;
    pairs = kept;
  }
  if (map === null) return null;
  const shape = shapeOf(map, columns, group.length);
  if (shape.ratio < SPACING.least || shape.ratio > SPACING.most) return null;
  const lost = offsets.reduce((sum, _, at) => sum + Math.abs(columns - (group[at] as Row).span), 0);
  return {
    format,
    map,
    pitch: shape.pitch,
    leanDegrees: (angle * 180) / Math.PI,
    misfit: error + 0.5 * Math.max(0, shape.shear - 0.05) + 0.02 * lost,
  };
}

/** In the middle of the grid: the pitch, rows apart in pitches, and how far columns are from square to rows (sine). */
function shapeOf(map: Homography, columns: number, rows: number): { pitch: number; ratio: number; shear: number } {
  const [column, row] = [(columns - 1) / 2, (rows - 1) / 2];
  const [left, right] = [mapPoint(map, column - 0.5, row), mapPoint(map, column + 0.5, row)];
  const [above, below] = [mapPoint(map, column, row - 0.5), mapPoint(map, column, row + 0.5)];
  const [ux, uy, vx, vy] = [right.x - left.x, right.y - left.y, below.x - above.x, below.y - above.y];
  const [pitch, spacing] = [Math.hypot(ux, uy), Math.hypot(vx, vy)];
  return { pitch, ratio: spacing / pitch, shear: Math.abs(ux * vx + uy * vy) / (pitch * spacing) };
}
