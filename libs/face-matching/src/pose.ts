import type { Point } from './nets/landmark-net.ts';

/**
 * Points of a head of average proportions, millimetres from between the eyes: x to the subject's own left (which is the right of
 * a picture), y down, z to the front. Indices are those of the 68 points.
 */
const HEAD: [index: number, x: number, y: number, z: number][] = [
  [36, -45, 0, -12], // outer corners of the eyes
  [45, 45, 0, -12],
  [39, -16, 1, 0], // inner
  [42, 16, 1, 0],
  [30, 0, 36, 28], // tip of the nose
  [33, 0, 47, 14], // its base
  [48, -25, 72, 2], // corners of the mouth
  [54, 25, 72, 2],
];

export interface Pose {
  /** Degrees. Positive: to the subject's own left. */
  yawDegrees: number;
  /** Degrees by which the line through the eyes leans; positive: clockwise as seen. */
  rollDegrees: number;
}

/**
 * How a head is turned, from its landmarks: the affine picture of HEAD that fits them best, of which the turn is taken. Good for
 * distinguishing left, centre and right; the landmark net pulls large turns towards the middle (see docs/decisions).
 */
export function poseOf(landmarks: Point[]): Pose {
  const found = HEAD.map(([index]) => landmarks[index] as Point);
  const horizontal = fitLinear(found.map(({ x }) => x));
  const vertical = fitLinear(found.map(({ y }) => y));
  const [right, left] = [landmarks[36] as Point, landmarks[45] as Point];
  // Where the front of the head points to in the picture, against how large a millimetre is seen.
  const [frontX, frontY] = [horizontal[2], vertical[2]];
  const scale = (Math.hypot(...horizontal) + Math.hypot(...vertical)) / 2 || 1;
  const roll = Math.atan2(left.y - right.y, left.x - right.x);
  const sideways = (frontX * Math.cos(roll) + frontY * Math.sin(roll)) / scale;
  return { yawDegrees: degrees(Math.asin(Math.max(-1, Math.min(1, sideways)))), rollDegrees: degrees(roll) };
}

const degrees = (radians: number) => (radians * 180) / Math.PI;

type Triple = [number, number, number];
const MEAN = [1, 2, 3].map((at) => HEAD.reduce((sum, row) => sum + (row[at] as number), 0) / HEAD.length) as Triple;
const CENTRED = HEAD.map(([, ...xyz]) => xyz.map((value, at) => value - (MEAN[at] as number)) as Triple);
const INVERSE = inverse(
  [0, 1, 2].map((i) =>
    [0, 1, 2].map((j) => CENTRED.reduce((sum, p) => sum + (p[i] as number) * (p[j] as number), 0)),
  ) as [Triple, Triple, Triple],
);

/** Coefficients for x, y and z of HEAD that give `values` (the mean apart) with least squares. */
function fitLinear(values: number[]): Triple {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const products = [0, 1, 2].map((axis) =>
    CENTRED.reduce((sum, point, nth) => sum + (point[axis] as number) * ((values[nth] as number) - mean), 0),
  );
  return INVERSE.map((row) => row.reduce((sum, value, at) => sum + value * (products[at] as number), 0)) as Triple;
}

function inverse([[a, b, c], [d, e, f], [g, h, i]]: [Triple, Triple, Triple]): [Triple, Triple, Triple] {
  const [A, B, C] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const determinant = a * A + b * B + c * C;
  const rows = [
    [A, c * h - b * i, b * f - c * e],
    [B, a * i - c * g, c * d - a * f],
    [C, b * g - a * h, a * e - b * d],
  ];
  return rows.map((row) => row.map((value) => value / determinant)) as [Triple, Triple, Triple];
}
