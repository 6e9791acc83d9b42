import { describe, expect, it } from 'vitest';
import { CellScores, readLines } from './read-cells.ts';
import { better } from './read-mrz.ts';

const GLYPHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<';
/** ICAO 9303-5's specimen. */
const LINES = ['I<UTOD231458907<<<<<<<<<<<<<<<', '7408122F1204159UTO<<<<<<<<<<<6', 'ERIKSSON<<ANNA<MARIA<<<<<<<<<<'];

/** Scores as of cells read surely, but for those given: `[line, column, probabilities by glyph]`. */
function scores(...doubts: [number, number, Record<string, number>][]): CellScores {
  const cells = LINES.flatMap((line, row) =>
    [...line].map((glyph, column) => {
      const doubt = doubts.find(([at, cell]) => at === row && cell === column)?.[2] ?? { [glyph]: 0.9999 };
      return Float32Array.from(GLYPHS, (each) => Math.log(doubt[each] ?? 1e-6));
    }),
  );
  return new CellScores('TD1', GLYPHS, cells);
}

describe('the cells of an MRZ', () => {
  it('are read as they look when all check digits fit', () => {
    expect(readLines(scores())).toMatchObject({ lines: LINES, right: 4, checks: 4, changed: 0 });
  });

  it('hold only what the layout allows: digits in dates, letters in names', () => {
    const read = readLines(scores([1, 2, { O: 0.8, 0: 0.2 }], [2, 0, { 8: 0.7, E: 0.3 }]));
    expect(read).toMatchObject({ lines: LINES, changed: 0 });
  });

  it('are settled by check digits where two glyphs look alike', () => {
    const read = readLines(scores([0, 7, { 8: 0.6, 3: 0.4 }]));
    expect(read).toMatchObject({ lines: LINES, right: 4, changed: 1 });
    expect(read.sureness[0]?.[7]).toBeLessThan(0.5);
  });

  it('stay as they look against a check digit when read beyond doubt', () => {
    const read = readLines(scores([1, 29, { 7: 0.9999 }]));
    expect(read.lines[1]).toBe('7408122F1204159UTO<<<<<<<<<<<7');
    expect(read).toMatchObject({ right: 3, changed: 0 });
  });

  it('behind the given names are filler unless surely something else', () => {
    expect(readLines(scores([2, 29, { M: 0.55, '<': 0.45 }])).lines).toEqual(LINES);
    expect(readLines(scores([2, 29, { M: 0.9999 }])).lines[2]).toBe('ERIKSSON<<ANNA<MARIA<<<<<<<<<M');
  });

  it('of two readings whose check digits all fit, the one closer to the picture is taken', () => {
    const close = readLines(scores([2, 4, { S: 0.6, 5: 0.4 }]));
    const far = { ...readLines(scores([0, 7, { 8: 0.6, 3: 0.4 }])), score: close.score + 1, changed: 0 };
    expect([close.right, far.right]).toEqual([4, 4]);
    expect(far.closeness).toBeLessThan(close.closeness);
    expect([better(close, far), better(far, close)]).toEqual([true, false]);
  });
});
