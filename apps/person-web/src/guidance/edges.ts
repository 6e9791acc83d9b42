import type { GreyFrame } from './grey-frame.ts';

/** The slope of the grey at each pixel (Sobel, so four times the difference of neighbours), and which pixels stand out. */
export interface Edges {
  width: number;
  height: number;
  /** Rightwards and downwards. */
  across: Int16Array;
  down: Int16Array;
  /** |across| + |down|. */
  strength: Uint16Array;
  /** What counts as an edge in this frame. */
  threshold: number;
}

/** Of the pixels, those with the steepest slopes count as edges; the limit is never below or above these. */
const EDGE_SHARE = 0.1;
const FLATTEST = 48;
const STEEPEST = 160;

export function edgesOf({ width, height, data }: GreyFrame): Edges {
  const across = new Int16Array(width * height);
  const down = new Int16Array(width * height);
  const strength = new Uint16Array(width * height);
  const counts = new Uint32Array(2048);
  for (let y = 1; y < height - 1; y++) {
    for (let at = y * width + 1; at < (y + 1) * width - 1; at++) {
      const [nw, n, ne] = [data[at - width - 1], data[at - width], data[at - width + 1]] as [number, number, number];
      const [w, e] = [data[at - 1], data[at + 1]] as [number, number];
      const [sw, s, se] = [data[at + width - 1], data[at + width], data[at + width + 1]] as [number, number, number];
      const gx = ne + 2 * e + se - nw - 2 * w - sw;
      const gy = sw + 2 * s + se - nw - 2 * n - ne;
      const total = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
      across[at] = gx;
      down[at] = gy;
      strength[at] = total;
      counts[total] = (counts[total] as number) + 1;
    }
  }
  return { width, height, across, down, strength, threshold: steepest(counts, width * height * EDGE_SHARE) };
}

function steepest(counts: Uint32Array, wanted: number): number {
  let seen = 0;
  for (let total = counts.length - 1; total > FLATTEST; total--) {
    seen += counts[total] as number;
    if (seen >= wanted) return Math.min(total, STEEPEST);
  }
  return FLATTEST;
}
