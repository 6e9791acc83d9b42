import type { Edges } from './edges.ts';
import type { Point } from './grey-frame.ts';

/** x · cos + y · sin = distance. */
export interface Line {
  cos: number;
  sin: number;
  distance: number;
  votes: number;
}

const STEP_DEGREES = 2;
const ANGLES = 180 / STEP_DEGREES;
const COS = Float32Array.from({ length: ANGLES }, (_, nth) => Math.cos((nth * STEP_DEGREES * Math.PI) / 180));
const SIN = Float32Array.from({ length: ANGLES }, (_, nth) => Math.sin((nth * STEP_DEGREES * Math.PI) / 180));
/** Pixels of distance in one place of the count. */
const STEP_PX = 2;
/** Lines further from level, or from upright, than this are no sides of a card that somebody holds into a frame. */
const SLANT_DEGREES = 32;
/** Lines as near to each other as this are one. */
const APART = { angles: 3, distances: 3 };
const LINES = 12;

/** The straight lines with most edge pixels: those nearly level, and those nearly upright (Hough transform). */
export function linesOf(edges: Edges): { level: Line[]; upright: Line[] } {
  const { width, height } = edges;
  const reach = Math.ceil(Math.hypot(width, height) / STEP_PX);
  const distances = 2 * reach + 1;
  const votes = count(edges, reach, distances);
  const slant = SLANT_DEGREES / STEP_DEGREES;
  const quarter = ANGLES / 2;
  const found = (from: number, to: number): Line[] => peaks(votes, distances, reach, from, to, width * 0.2);
  return { level: found(quarter - slant, quarter + slant), upright: found(-slant, slant) };
}

function count({ width, height, across, down, strength, threshold }: Edges, reach: number, distances: number) {
  const votes = new Uint16Array(ANGLES * distances);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      if ((strength[at] as number) < threshold) continue;
      const angle = Math.atan2(down[at] as number, across[at] as number); // of the normal
      const nearest = Math.round((angle * 180) / Math.PI / STEP_DEGREES);
      for (let turned = nearest - 1; turned <= nearest + 1; turned++) {
        const nth = (turned + 2 * ANGLES) % ANGLES;
        const distance = Math.round((x * (COS[nth] as number) + y * (SIN[nth] as number)) / STEP_PX) + reach;
        const place = nth * distances + distance;
        votes[place] = (votes[place] as number) + 1;
      }
    }
  }
  return votes;
}

/** The places with most votes between two angles (which may be below zero), each the only one in its surroundings. */
function peaks(votes: Uint16Array, distances: number, reach: number, from: number, to: number, least: number): Line[] {
  const candidates: { angle: number; distance: number; votes: number }[] = [];
  for (let angle = from; angle <= to; angle++) {
    const nth = (angle + ANGLES) % ANGLES;
    for (let distance = 1; distance < distances - 1; distance++) {
      const at = nth * distances + distance;
      const here = votes[at] as number;
      if (here < least || here < (votes[at - 1] as number) || here < (votes[at + 1] as number)) continue;
      // Below zero the normal points the other way.
      candidates.push({ angle, distance: angle < 0 ? 2 * reach - distance : distance, votes: here });
    }
  }
  candidates.sort((one, other) => other.votes - one.votes);
  const chosen: typeof candidates = [];
  for (const candidate of candidates) {
    const near = chosen.some(
      ({ angle, distance }) =>
        Math.abs(angle - candidate.angle) <= APART.angles && Math.abs(distance - candidate.distance) <= APART.distances,
    );
    if (!near) chosen.push(candidate);
    if (chosen.length === LINES) break;
  }
  return chosen.map(({ angle, distance, votes: counted }) => {
    const radians = (angle * STEP_DEGREES * Math.PI) / 180;
    return {
      cos: Math.cos(radians),
      sin: Math.sin(radians),
      distance: (distance - reach) * STEP_PX,
      votes: counted,
    };
  });
}

/** Null when the lines are parallel. */
export function crossing(one: Line, other: Line): Point | null {
  const determinant = one.cos * other.sin - one.sin * other.cos;
  if (Math.abs(determinant) < 1e-6) return null;
  return {
    x: (one.distance * other.sin - other.distance * one.sin) / determinant,
    y: (one.cos * other.distance - other.cos * one.distance) / determinant,
  };
}
