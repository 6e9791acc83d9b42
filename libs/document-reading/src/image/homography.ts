export interface Point {
  x: number;
  y: number;
}

/** A projective map of the plane, row by row; the last entry is 1. */
export type Homography = readonly [number, number, number, number, number, number, number, number, 1];

export function mapPoint(map: Homography, x: number, y: number): Point {
  const scale = 1 / (map[6] * x + map[7] * y + 1);
  return { x: (map[0] * x + map[1] * y + map[2]) * scale, y: (map[3] * x + map[4] * y + map[5]) * scale };
}

/** The map that first applies `inner`, then `outer`. */
export function composed(outer: Homography, inner: Homography): Homography {
  const product = Array.from({ length: 9 }, (_, at) => {
    const [row, column] = [Math.floor(at / 3), at % 3];
    return [0, 1, 2].reduce((sum, k) => sum + (outer[3 * row + k] as number) * (inner[3 * k + column] as number), 0);
  });
  const last = product[8] as number;
  return product.map((each) => each / last) as unknown as Homography;
}

/**
 * The map that takes `from` closest to `to` (least squares over at least four pairs; weights optional). Null when the points
 * do not determine one.
 */
export function homographyBetween(
  from: readonly Point[],
  to: readonly Point[],
  weights?: readonly number[],
): Homography | null {
  if (from.length < 4) return null;
  const [inward, outward] = [normaliser(from), normaliser(to)];
  const system = Array.from({ length: 8 }, () => new Float64Array(9));
  from.forEach((point, index) => {
    const { x, y } = mapPoint(inward, point.x, point.y);
    const image = mapPoint(outward, (to[index] as Point).x, (to[index] as Point).y);
    const weight = weights?.[index] ?? 1;
    accumulate(system, [x, y, 1, 0, 0, 0, -x * image.x, -y * image.x], image.x, weight);
    accumulate(system, [0, 0, 0, x, y, 1, -x * image.y, -y * image.y], image.y, weight);
  });
  const solution = solved(system);
  if (solution === null) return null;
  const between = [...solution, 1] as unknown as Homography;
  return composed(inverseOfSimilarity(outward), composed(between, inward));
}

/** Moves a cloud of points around the origin at a distance of about one: the system of equations stays well conditioned. */
function normaliser(points: readonly Point[]): Homography {
  const n = points.length;
  const [x, y] = points.reduce(([sx, sy], each) => [sx + each.x / n, sy + each.y / n], [0, 0]);
  const spread = points.reduce((sum, each) => sum + Math.hypot(each.x - x, each.y - y) / n, 0) || 1;
  return [1 / spread, 0, -x / spread, 0, 1 / spread, -y / spread, 0, 0, 1];
}

const inverseOfSimilarity = (map: Homography): Homography => [
  1 / map[0],
  0,
  -map[2] / map[0],
  0,
  1 / map[4],
  -map[5] / map[4],
  0,
  0,
  1,
];

function accumulate(system: Float64Array[], row: number[], value: number, weight: number): void {
  for (let i = 0; i < 8; i++) {
    const target = system[i] as Float64Array;
    const factor = weight * (row[i] as number);
    for (let j = 0; j < 8; j++) target[j] = (target[j] as number) + factor * (row[j] as number);
    target[8] = (target[8] as number) + factor * value;
  }
}

/** Gauss with pivoting; null when the system is singular. */
function solved(system: Float64Array[]): number[] | null {
  const size = system.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column + 1; row < size; row++) {
      if (Math.abs(at(system, row, column)) > Math.abs(at(system, pivot, column))) pivot = row;
    }
    if (Math.abs(at(system, pivot, column)) < 1e-12) return null;
    [system[column], system[pivot]] = [system[pivot] as Float64Array, system[column] as Float64Array];
    for (let row = 0; row < size; row++) {
      if (row !== column) subtract(system, row, column);
    }
  }
  return system.map((row, index) => (row[size] as number) / (row[index] as number));
}

const at = (system: Float64Array[], row: number, column: number): number => system[row]?.[column] as number;

function subtract(system: Float64Array[], row: number, column: number): void {
  const factor = at(system, row, column) / at(system, column, column);
  if (factor === 0) return;
  const [target, source] = [system[row] as Float64Array, system[column] as Float64Array];
  for (let k = column; k < target.length; k++) target[k] = (target[k] as number) - factor * (source[k] as number);
}

/** The map from a rectangle of the given size (corners clockwise from the upper left) onto four corners. */
export function ontoCorners(width: number, height: number, corners: readonly [Point, Point, Point, Point]): Homography {
  const rectangle = [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ];
  return homographyBetween(rectangle, corners) ?? [1, 0, 0, 0, 1, 0, 0, 0, 1];
}
