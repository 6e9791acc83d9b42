import type { GreyImage } from '../image/grey-image.ts';
import type { Homography } from '../image/homography.ts';
import { logProbabilities } from './glyph-network.ts';
import type { GlyphNetwork } from './glyph-network.ts';
import { LAYOUTS, cellKinds, checkedDigits } from './layout.ts';
import type { CellKind, MrzFormat } from './layout.ts';
import { CELL, atCellScale, sampleCells } from './sample-cells.ts';
import type { View } from './sample-cells.ts';

/** The same cells seen slightly differently; their scores are added up. */
const VIEWS: View[] = [
  { dx: 0, dy: 0, zoom: 1 },
  { dx: 0.05, dy: 0, zoom: 1 },
  { dx: -0.05, dy: 0, zoom: 1 },
  { dx: 0, dy: 0.022, zoom: 1 },
  { dx: 0, dy: -0.022, zoom: 1 },
  { dx: 0, dy: 0, zoom: 0.94 },
  { dx: 0, dy: 0, zoom: 1.06 },
];

const ALLOWED: Record<CellKind, RegExp> = { letter: /[A-Z<]/, digit: /[0-9<]/, any: /[0-9A-Z<]/, sex: /[MFX<]/ };
/** A check digit may choose what has at least this share of the first choice's probability: cells that were read beyond doubt stay. */
const CANDIDATE_LOG = Math.log(2e-3);
const SURE_LOG = Math.log(0.9);
const MOST_CHANGES = 3;

/** The lines of an MRZ as read, with the sureness of each cell (0 to 1). */
export interface ReadLines {
  lines: string[];
  sureness: number[][];
  /** Mean logarithm of the cells' probabilities: how much this looks like an MRZ at all. */
  score: number;
  /** The same of the glyphs that were chosen, whatever the check digits changed: how close the lines are to the picture. */
  closeness: number;
  /** Check digits that fit, of all. */
  right: number;
  checks: number;
  /** Cells that the check digits decided against the picture's first choice. */
  changed: number;
}

/** One reading of all cells: per cell the mean score of each glyph over the views. */
export class CellScores {
  constructor(
    readonly format: MrzFormat,
    readonly glyphs: string,
    readonly scores: Float32Array[],
  ) {}

  /** Near 0 for cells that hold OCR-B, far below for anything else. */
  get meanOfBest(): number {
    return this.scores.reduce((sum, each) => sum + Math.max(...each), 0) / this.scores.length;
  }
}

/** Scores the cells of a grid; `quick` takes one view only, enough to tell an MRZ from something else. */
export function scoreCells(
  network: GlyphNetwork,
  image: GreyImage,
  map: Homography,
  pitch: number,
  format: MrzFormat,
  quick = false,
): CellScores {
  const { columns, lines } = LAYOUTS[format];
  const scaled = atCellScale(image, map, pitch);
  const views = quick ? VIEWS.slice(0, 1) : VIEWS;
  const scores = Array.from({ length: columns * lines }, () => new Float32Array(network.glyphs.length));
  for (const view of views) {
    const cells = sampleCells(scaled.image, scaled.map, columns, lines, view);
    scores.forEach((sum, cell) => {
      const logs = logProbabilities(network, cells, cell * CELL.pixels);
      // A view that cannot see a glyph at all must not outvote the others.
      for (let glyph = 0; glyph < sum.length; glyph++) {
        sum[glyph] = (sum[glyph] as number) + Math.max(-12, logs[glyph] as number) / views.length;
      }
    });
  }
  return new CellScores(format, network.glyphs, scores);
}

interface Candidate {
  glyph: string;
  log: number;
}

/** The most probable lines that the layout allows; where check digits do not fit, the most probable ones that do. */
export function readLines({ format, glyphs, scores, meanOfBest }: CellScores): ReadLines {
  const { columns } = LAYOUTS[format];
  const kinds = cellKinds(format).flat();
  const candidates = scores.map((logs, cell) => candidatesOf(logs, glyphs, kinds[cell] as CellKind));
  const cells = candidates.map(([first]) => (first as Candidate).glyph);
  padNames(cells, candidates, format);
  const changed = settleByCheckDigits(cells, candidates, format);
  const lines = linesOf(cells, columns);
  const digits = Object.values(checkedDigits(lines, format));
  const sureness = cells.map((glyph, cell) => {
    const own = (candidates[cell] as Candidate[]).find((each) => each.glyph === glyph);
    return Math.exp(own?.log ?? -12);
  });
  return {
    lines,
    sureness: Array.from(lines, (_, row) => sureness.slice(row * columns, (row + 1) * columns)),
    score: meanOfBest,
    closeness: sureness.reduce((sum, each) => sum + Math.log(each), 0) / sureness.length,
    right: digits.filter(Boolean).length,
    checks: digits.length,
    changed,
  };
}

/**
 * After the given names there is only filler (9303-3, section 4.6): a doubtful letter behind two fillers there is dirt. One that
 * was read surely stays; then the name is odd, and nobody takes it unconfirmed.
 */
function padNames(cells: string[], candidates: readonly Candidate[][], format: MrzFormat): void {
  const { columns, fields } = LAYOUTS[format];
  const [from, to] = [fields.names.line * columns + fields.names.from, fields.names.line * columns + fields.names.to];
  const ended = /^[A-Z<]*?[A-Z]<<[A-Z](?:[A-Z]|<(?!<))*<</.exec(cells.slice(from, to).join(''));
  if (!ended) return;
  for (let cell = from + ended[0].length; cell < to; cell++) {
    const [first] = candidates[cell] as Candidate[];
    if (first && first.log < SURE_LOG) cells[cell] = '<';
  }
}

const linesOf = (cells: readonly string[], columns: number): string[] =>
  Array.from({ length: cells.length / columns }, (_, row) => cells.slice(row * columns, (row + 1) * columns).join(''));

/** Glyphs that may stand in a cell, the likeliest first, as probabilities among those. */
function candidatesOf(logs: Float32Array, glyphs: string, kind: CellKind): Candidate[] {
  const allowed = [...glyphs]
    .map((glyph, at) => ({ glyph, log: logs[at] as number }))
    .filter(({ glyph }) => ALLOWED[kind].test(glyph))
    .sort((one, other) => other.log - one.log);
  const most = (allowed[0] as Candidate).log;
  const total = most + Math.log(allowed.reduce((sum, { log }) => sum + Math.exp(log - most), 0));
  return allowed.map(({ glyph, log }) => ({ glyph, log: log - total }));
}

/**
 * Changes up to three doubtful cells among those that wrong check digits cover, to the likeliest glyphs with which the most
 * check digits fit. Cells (in place) keep their first choice when nothing probable helps. Answers how many it changed.
 */
function settleByCheckDigits(cells: string[], candidates: readonly Candidate[][], format: MrzFormat): number {
  const { columns, checks } = LAYOUTS[format];
  const wrong = () => Object.values(checkedDigits(linesOf(cells, columns), format)).filter((right) => !right).length;
  let missing = wrong();
  let changed = 0;
  for (const { name, covered, digit } of checks) {
    if (missing === 0) break;
    if (checkedDigits(linesOf(cells, columns), format)[name]) continue;
    const places = [...covered, digit].flatMap(({ line, from, to }) =>
      Array.from({ length: to - from }, (_, at) => line * columns + from + at),
    );
    const swaps = places
      .flatMap((cell) =>
        (candidates[cell] as Candidate[])
          .slice(1, 4)
          .map(({ glyph, log }) => ({ cell, glyph, cost: (candidates[cell] as Candidate[])[0]!.log - log })),
      )
      .filter(({ cost }) => cost < -CANDIDATE_LOG)
      .sort((one, other) => one.cost - other.cost)
      .slice(0, 12);
    const best = bestSwaps(cells, swaps, wrong, missing);
    for (const { cell, glyph } of best.swaps) cells[cell] = glyph;
    changed += best.swaps.length;
    missing = best.missing;
  }
  return changed;
}

interface Swap {
  cell: number;
  glyph: string;
  cost: number;
}

/** Of all sets of up to three swaps, the one after which the fewest check digits are wrong, then the cheapest. */
function bestSwaps(
  cells: string[],
  swaps: readonly Swap[],
  wrong: () => number,
  missing: number,
): { swaps: Swap[]; missing: number } {
  let best: { swaps: Swap[]; missing: number; cost: number } = { swaps: [], missing, cost: 0 };
  const chosen: Swap[] = [];
  const visit = (from: number, cost: number): void => {
    if (chosen.length > 0) {
      const left = wrong();
      if (left < best.missing || (left === best.missing && left < missing && cost < best.cost)) {
        best = { swaps: [...chosen], missing: left, cost };
      }
    }
    if (chosen.length === MOST_CHANGES) return;
    for (let at = from; at < swaps.length; at++) {
      const swap = swaps[at] as Swap;
      if (chosen.some(({ cell }) => cell === swap.cell) || cost + swap.cost > -CANDIDATE_LOG) continue;
      const before = cells[swap.cell] as string;
      cells[swap.cell] = swap.glyph;
      chosen.push(swap);
      visit(at + 1, cost + swap.cost);
      chosen.pop();
      cells[swap.cell] = before;
    }
  };
  visit(0, 0);
  return best;
}
