import { halved } from '../image/grey-image.ts';
import type { GreyImage } from '../image/grey-image.ts';
import type { Homography } from '../image/homography.ts';
import { sampled } from '../image/warp.ts';

export const CELL = { width: 16, height: 20, pixels: 320 } as const;
/** What a cell's picture shows: in columns, and in rows (which are 2.5 columns apart). */
const SHOWN = { columns: 1.16, rows: 0.58 };

/** Small changes of the view, for voting: shifts in columns and rows, magnification. */
export interface View {
  dx: number;
  dy: number;
  zoom: number;
}

/**
 * The cells of a grid as small pictures, ink 1 and paper 0, row by row: 320 numbers each. Contrast is measured around each
 * cell, so shadows and reflections that let anything through do not matter. `map` as in Lattice.
 */
export function sampleCells(
  image: GreyImage,
  map: Homography,
  columns: number,
  rows: number,
  view: View,
): Float32Array {
  const cells = new Float32Array(columns * rows * CELL.pixels);
  for (let row = 0; row < rows; row++) {
    const strip = stripOf(image, map, columns, row, view);
    for (let column = 0; column < columns; column++) {
      normalise(strip, column, columns, cells, (row * columns + column) * CELL.pixels);
    }
  }
  return cells;
}

/** All cells of a row side by side, as sampled. */
function stripOf(image: GreyImage, map: Homography, columns: number, row: number, view: View): Float32Array {
  const strip = new Float32Array(columns * CELL.pixels);
  for (let column = 0; column < columns; column++) {
    for (let y = 0; y < CELL.height; y++) {
      const v = row + view.dy + (((y + 0.5) / CELL.height - 0.5) * SHOWN.rows) / view.zoom;
      for (let x = 0; x < CELL.width; x++) {
        const u = column + view.dx + (((x + 0.5) / CELL.width - 0.5) * SHOWN.columns) / view.zoom;
        const scale = 1 / (map[6] * u + map[7] * v + 1);
        const value = sampled(image, (map[0] * u + map[1] * v + map[2]) * scale, (map[3] * u + map[4] * v + map[5]) * scale); // prettier-ignore
        strip[column * CELL.pixels + y * CELL.width + x] = value < 0 ? 255 : value;
      }
    }
  }
  return strip;
}

/** Stretches a cell between the paper and the ink of itself and its neighbours. */
function normalise(strip: Float32Array, column: number, columns: number, cells: Float32Array, target: number): void {
  const from = Math.max(0, column - 1) * CELL.pixels;
  const to = Math.min(columns, column + 2) * CELL.pixels;
  const around = strip.slice(from, to).sort();
  const ink = around[Math.floor(0.04 * around.length)] as number;
  const paper = around[Math.floor(0.8 * around.length)] as number;
  const range = Math.max(8, paper - ink);
  for (let at = 0; at < CELL.pixels; at++) {
    const value = (paper - (strip[column * CELL.pixels + at] as number)) / range;
    cells[target + at] = Math.max(-0.25, Math.min(1.25, value));
  }
}

/** The picture halved until its cells are at most about twice as wide as their samples, and the map for it. */
export function atCellScale(image: GreyImage, map: Homography, pitch: number): { image: GreyImage; map: Homography } {
  let [scaledImage, scaledMap, left] = [image, map, pitch];
  while (left > 2 * CELL.width) {
    scaledImage = halved(scaledImage);
    // Pixel centres are whole numbers: pixel k of the half stands between 2k and 2k + 1.
    const half = (a: number, c: number) => 0.5 * a - 0.25 * c;
    const m = scaledMap;
    scaledMap = [half(m[0], m[6]), half(m[1], m[7]), half(m[2], 1), half(m[3], m[6]), half(m[4], m[7]), half(m[5], 1), m[6], m[7], 1]; // prettier-ignore
    left /= 2;
  }
  return { image: scaledImage, map: scaledMap };
}
