import type { Deadline } from '@constancia/kernel';
import { halved } from '../image/grey-image.ts';
import type { GreyImage } from '../image/grey-image.ts';
import { composed } from '../image/homography.ts';
import type { Homography } from '../image/homography.ts';
import { blobsOf, textLines } from './find-lines.ts';
import { lattices } from './fit-lattice.ts';
import type { Lattice } from './fit-lattice.ts';
import { unpacked } from './glyph-network.ts';
import type { GlyphNetwork } from './glyph-network.ts';
import { LAYOUTS } from './layout.ts';
import type { MrzFormat } from './layout.ts';
import { OCR_B_NETWORK } from './ocr-b-network.ts';
import { readLines, scoreCells } from './read-cells.ts';
import type { ReadLines } from './read-cells.ts';

/** What a search at one scale, and a full reading of one grid, cost on a slow core. */
const SEARCH_MS = 200;
const READING_MS = 80;
/** Grids tried per search; of each, both ways up. */
const MOST_LATTICES = 10;
/** Mean score below which cells hold no OCR-B at all. */
const NO_TEXT = -2.2;

export interface MrzReading extends ReadLines {
  format: MrzFormat;
  leanDegrees: number;
}

export interface MrzSearch {
  mrz: MrzReading | null;
  /** Rows of the right length and pitch were found, read or not. */
  present: boolean;
}

let network: GlyphNetwork | undefined;

/** How ink is distinguished from paper: the window for the mean (in shares of the picture's long side), and the picture's scale. */
const SEARCHES = [
  { halve: false, window: 0.011 },
  { halve: true, window: 0.013 },
  { halve: false, window: 0.02 },
  { halve: false, window: 0.007 },
] as const;

/**
 * Reads the MRZ of a picture at any angle: finds rows of equally spaced characters, fits one projective grid of cells to
 * them, reads each cell. Searches differently until all check digits fit or time runs out, and answers the best reading.
 */
export function readMrz(image: GreyImage, deadline: Deadline): MrzSearch {
  network ??= unpacked(OCR_B_NETWORK);
  const search: MrzSearch = { mrz: null, present: false };
  let half: GreyImage | null = null;
  for (const { halve, window } of SEARCHES) {
    if (!deadline.allows(SEARCH_MS)) break;
    if (halve) half ??= halved(image);
    const seen = halve && half ? half : image;
    const found = latticesIn(seen, window).map((lattice) => (halve ? enlarged(lattice) : lattice));
    search.present ||= found.length > 0;
    const reading = bestReading(network, image, found, deadline);
    if (reading && better(reading, search.mrz)) search.mrz = reading;
    if (search.mrz && search.mrz.right === search.mrz.checks) break;
  }
  return search;
}

function latticesIn(image: GreyImage, window: number): Lattice[] {
  const side = Math.max(image.width, image.height);
  const blobs = blobsOf(image, Math.max(6, Math.round(window * side)), Math.max(5, side / 250), side / 22);
  if (blobs.length > 6000) return [];
  const { lines, angle } = textLines(blobs, 5);
  return lattices(lines, angle, MOST_LATTICES);
}

/** The grid of a halved picture, in the whole one. */
const enlarged = (lattice: Lattice): Lattice => ({
  ...lattice,
  map: composed([2, 0, 0.5, 0, 2, 0.5, 0, 0, 1], lattice.map),
  pitch: lattice.pitch * 2,
});

/** The grid's cells counted from the other end: how it looks with the picture turned by 180°. */
function upsideDown({ map, format, ...rest }: Lattice): Lattice {
  const { columns, lines } = LAYOUTS[format];
  const flip: Homography = [-1, 0, columns - 1, 0, -1, lines - 1, 0, 0, 1];
  return { ...rest, format, map: composed(map, flip), leanDegrees: rest.leanDegrees + 180 };
}

/** Looks at all grids quickly, then reads the two that look most like an MRZ. */
function bestReading(
  glyphs: GlyphNetwork,
  image: GreyImage,
  found: readonly Lattice[],
  deadline: Deadline,
): MrzReading | null {
  const ranked = found
    .flatMap((lattice) => [lattice, upsideDown(lattice)])
    .filter(() => deadline.allows(READING_MS))
    .map((lattice) => {
      const quick = readLines(scoreCells(glyphs, image, lattice.map, lattice.pitch, lattice.format, true));
      return { lattice, quick, rank: quick.score + 0.5 * quick.right - 0.3 * quick.changed };
    })
    .filter(({ quick }) => quick.score > NO_TEXT)
    .sort((one, other) => other.rank - one.rank)
    .slice(0, 3);
  let best: MrzReading | null = null;
  for (const { lattice } of ranked) {
    if (best && !deadline.allows(READING_MS)) break;
    const { format, leanDegrees } = lattice;
    const read = readLines(scoreCells(glyphs, image, lattice.map, lattice.pitch, format));
    const reading = { ...read, format, leanDegrees };
    if (better(reading, best)) best = reading;
  }
  return best;
}

/** Of two whose check digits all fit, the one closer to the picture; else more check digits that fit without changing cells, then the clearer one. */
export function better(one: ReadLines, other: ReadLines | null): boolean {
  if (other === null) return true;
  const fits = ({ right, checks }: ReadLines) => right === checks;
  if (fits(one) && fits(other)) return one.closeness > other.closeness;
  const worth = ({ right, checks, changed, score }: ReadLines) => (3 * right) / checks - 0.2 * changed + score;
  return worth(one) > worth(other);
}
