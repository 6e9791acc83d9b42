import { CHIP_SIDE_PX } from './nets/descriptor-net.ts';
import type { Point } from './nets/landmark-net.ts';
import type { Similarity } from './image/rgb-image.ts';

/** Indices of the 68 points: outer and inner corners of both eyes, and the base of the nose. */
const FIVE = [36, 39, 42, 45, 33] as const;

/** Where dlib puts these five in a unit square around the mean face, and the margin around that square when it trained the net. */
const MEAN_FACE: Record<(typeof FIVE)[number], Point> = {
  36: { x: 0.1205750620789, y: 0.2137274526848 },
  39: { x: 0.3340850613712, y: 0.2290642403242 },
  42: { x: 0.6460604764104, y: 0.2289674387677 },
  45: { x: 0.8595674595992, y: 0.2134981538014 },
  33: { x: 0.4901123135679, y: 0.6277975316475 },
};
const MARGIN = 0.25;

const TEMPLATE = FIVE.map((index) => ({
  x: ((MEAN_FACE[index].x + MARGIN) / (1 + 2 * MARGIN)) * CHIP_SIDE_PX,
  y: ((MEAN_FACE[index].y + MARGIN) / (1 + 2 * MARGIN)) * CHIP_SIDE_PX,
}));

export interface Alignment {
  /** From the pixels of the aligned face (CHIP_SIDE_PX square) to those of the picture. */
  toPicture: Similarity;
  /** Root mean square of what is left between the five points and the mean face, in parts of the distance between the eyes. */
  residual: number;
}

/** The turn, scale and shift that bring the five points of a face to where the descriptor net expects them. */
export function alignFace(landmarks: Point[]): Alignment {
  const points = FIVE.map((index) => landmarks[index] as Point);
  const toPicture = fitSimilarity(TEMPLATE, points);
  const squares = points.map((point, nth) => {
    const from = TEMPLATE[nth] as Point;
    const at = applied(toPicture, from);
    return (at.x - point.x) ** 2 + (at.y - point.y) ** 2;
  });
  const rms = Math.sqrt(squares.reduce((sum, each) => sum + each, 0) / squares.length);
  return { toPicture, residual: rms / Math.max(1e-9, eyeDistance(landmarks)) };
}

/** Least squares: the similarity that leads from `from` to `to` with the smallest sum of squared distances. */
export function fitSimilarity(from: Point[], to: Point[]): Similarity {
  const [f, t] = [centreOf(from), centreOf(to)];
  let [dot, cross, norm] = [0, 0, 0];
  from.forEach((point, nth) => {
    const [x, y] = [point.x - f.x, point.y - f.y];
    const other = to[nth] as Point;
    const [u, v] = [other.x - t.x, other.y - t.y];
    dot += x * u + y * v;
    cross += x * v - y * u;
    norm += x * x + y * y;
  });
  const [a, b] = norm === 0 ? [1, 0] : [dot / norm, cross / norm];
  return { a, b, tx: t.x - a * f.x + b * f.y, ty: t.y - b * f.x - a * f.y };
}

export const applied = ({ a, b, tx, ty }: Similarity, { x, y }: Point): Point => ({
  x: a * x - b * y + tx,
  y: b * x + a * y + ty,
});

/** Between the middles of the eyes. */
export function eyeDistance(landmarks: Point[]): number {
  const right = centreOf([36, 39].map((index) => landmarks[index] as Point));
  const left = centreOf([42, 45].map((index) => landmarks[index] as Point));
  return Math.hypot(left.x - right.x, left.y - right.y);
}

function centreOf(points: Point[]): Point {
  const sum = points.reduce((all, { x, y }) => ({ x: all.x + x, y: all.y + y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}
