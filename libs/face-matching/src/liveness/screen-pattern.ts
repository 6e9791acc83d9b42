import sharp from 'sharp';
import type { FaceBox } from '../face-engine.ts';

const SIDE = 128;
/** Cycles per patch: below lies what faces are made of, above what every camera's noise is. */
const [LOWEST, HIGHEST] = [18, 62];
/** Blocks of JPEG show on the axes, as do straight edges. */
const AXIS = 3;
/** From here on a pattern is as regular as hardly any face's; the photos of docs/benchmarks.md stay below. */
export const SCREEN_SUSPECTED = 30;

/**
 * How regular a pattern lies over a face: its strongest wave against the median one, both of the same fineness. Pictures taken of
 * a screen often have one (moiré); many have not, and a print has none, so that nothing follows from its absence.
 */
export async function screenPattern(picture: Uint8Array, { x, y, width, height }: FaceBox): Promise<number> {
  const upright = await sharp(picture).autoOrient().toBuffer({ resolveWithObject: true });
  if (Math.min(upright.info.width, upright.info.height) < SIDE) return 0;
  const start = (from: number, length: number, limit: number) =>
    Math.max(0, Math.min(limit - SIDE, Math.round(from + length / 2 - SIDE / 2)));
  const patch = await sharp(upright.data)
    .extract({
      left: start(x, width, upright.info.width),
      top: start(y, height, upright.info.height),
      width: SIDE,
      height: SIDE,
    })
    .flatten({ background: '#fff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  return regularity(patch);
}

/** Of a grey square of SIDE pixels. */
export function regularity(patch: Uint8Array): number {
  const power = spectrum(patch);
  const rings = new Map<number, number[]>();
  for (let v = -SIDE / 2; v < SIDE / 2; v++) {
    for (let u = AXIS; u < SIDE / 2; u++) {
      const radius = Math.hypot(u, v);
      if (Math.abs(v) < AXIS || radius < LOWEST || radius > HIGHEST) continue;
      const ring = Math.floor(radius / 4);
      const value = power[((v + SIDE) % SIDE) * SIDE + u] as number;
      rings.set(ring, [...(rings.get(ring) ?? []), value]);
    }
  }
  const ratios = [...rings.values()].map((values) => {
    const sorted = values.toSorted((a, b) => a - b);
    return Math.sqrt((sorted.at(-1) as number) / Math.max(1, sorted[sorted.length >> 1] as number));
  });
  return Math.round(Math.max(...ratios) * 10) / 10;
}

/** Power of the two-dimensional Fourier transform, after a window that lets the edges fade. */
function spectrum(patch: Uint8Array): Float64Array {
  const window = Float64Array.from(
    { length: SIDE },
    (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (at + 0.5)) / SIDE),
  );
  const mean = patch.reduce((sum, value) => sum + value, 0) / patch.length;
  const faded = Float64Array.from(
    patch,
    (value, at) => (value - mean) * (window[at % SIDE] as number) * (window[Math.floor(at / SIDE)] as number),
  );
  const rows = transform(faded, new Float64Array(faded.length), 1, SIDE);
  const both = transform(rows.real, rows.imaginary, SIDE, 1);
  return both.real.map((value, at) => value ** 2 + (both.imaginary[at] as number) ** 2);
}

const COSINES = Float64Array.from({ length: SIDE }, (_, at) => Math.cos((2 * Math.PI * at) / SIDE));
const SINES = Float64Array.from({ length: SIDE }, (_, at) => Math.sin((2 * Math.PI * at) / SIDE));

/** Along lines whose values are `step` apart and which begin `line` apart. */
function transform(real: Float64Array, imaginary: Float64Array, step: number, line: number) {
  const out = { real: new Float64Array(real.length), imaginary: new Float64Array(real.length) };
  for (let l = 0; l < SIDE; l++) {
    for (let k = 0; k < SIDE; k++) {
      let [re, im] = [0, 0];
      for (let n = 0; n < SIDE; n++) {
        const at = l * line + n * step;
        const [c, s] = [COSINES[(k * n) % SIDE] as number, SINES[(k * n) % SIDE] as number];
        re += (real[at] as number) * c + (imaginary[at] as number) * s;
        im += (imaginary[at] as number) * c - (real[at] as number) * s;
      }
      out.real[l * line + k * step] = re;
      out.imaginary[l * line + k * step] = im;
    }
  }
  return out;
}
