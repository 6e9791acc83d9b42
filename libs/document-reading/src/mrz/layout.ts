import type { CheckDigits } from '../document-reader.ts';
import { fits } from './check-digits.ts';

export type MrzFormat = 'TD1' | 'TD2' | 'TD3';

/** What may stand in a cell: letters and filler, digits (and filler), or any. Sex is one of M, F, X and filler. */
export type CellKind = 'letter' | 'digit' | 'any' | 'sex';

interface Span {
  line: number;
  from: number;
  to: number;
}

/** A check digit and what it covers. */
export interface CheckedSpan {
  name: keyof CheckDigits;
  covered: Span[];
  digit: Span;
}

interface MrzLayout {
  lines: number;
  columns: number;
  /** Spans by field. */
  fields: Record<
    'code' | 'issuer' | 'names' | 'number' | 'birth' | 'sex' | 'expiry' | 'nationality' | 'optional',
    Span
  >;
  optional2: Span | null;
  checks: CheckedSpan[];
}

const span = (line: number, from: number, to: number): Span => ({ line, from, to });
const one = (line: number, at: number): Span => span(line, at, at + 1);

/** ICAO 9303, parts 4 to 6. Columns from 0, ends excluded. */
export const LAYOUTS: Record<MrzFormat, MrzLayout> = {
  TD1: {
    lines: 3,
    columns: 30,
    fields: {
      code: span(0, 0, 2),
      issuer: span(0, 2, 5),
      number: span(0, 5, 14),
      optional: span(1, 18, 29),
      birth: span(1, 0, 6),
      sex: one(1, 7),
      expiry: span(1, 8, 14),
      nationality: span(1, 15, 18),
      names: span(2, 0, 30),
    },
    optional2: span(0, 15, 30),
    checks: [
      { name: 'document_number', covered: [span(0, 5, 14)], digit: one(0, 14) },
      { name: 'birth_date', covered: [span(1, 0, 6)], digit: one(1, 6) },
      { name: 'expiry_date', covered: [span(1, 8, 14)], digit: one(1, 14) },
      {
        name: 'composite',
        covered: [span(0, 5, 30), span(1, 0, 7), span(1, 8, 15), span(1, 18, 29)],
        digit: one(1, 29),
      },
    ],
  },
  TD2: {
    lines: 2,
    columns: 36,
    fields: {
      code: span(0, 0, 2),
      issuer: span(0, 2, 5),
      names: span(0, 5, 36),
      number: span(1, 0, 9),
      nationality: span(1, 10, 13),
      birth: span(1, 13, 19),
      sex: one(1, 20),
      expiry: span(1, 21, 27),
      optional: span(1, 28, 35),
    },
    optional2: null,
    checks: [
      { name: 'document_number', covered: [span(1, 0, 9)], digit: one(1, 9) },
      { name: 'birth_date', covered: [span(1, 13, 19)], digit: one(1, 19) },
      { name: 'expiry_date', covered: [span(1, 21, 27)], digit: one(1, 27) },
      { name: 'composite', covered: [span(1, 0, 10), span(1, 13, 20), span(1, 21, 35)], digit: one(1, 35) },
    ],
  },
  TD3: {
    lines: 2,
    columns: 44,
    fields: {
      code: span(0, 0, 2),
      issuer: span(0, 2, 5),
      names: span(0, 5, 44),
      number: span(1, 0, 9),
      nationality: span(1, 10, 13),
      birth: span(1, 13, 19),
      sex: one(1, 20),
      expiry: span(1, 21, 27),
      optional: span(1, 28, 42),
    },
    optional2: null,
    checks: [
      { name: 'document_number', covered: [span(1, 0, 9)], digit: one(1, 9) },
      { name: 'birth_date', covered: [span(1, 13, 19)], digit: one(1, 19) },
      { name: 'expiry_date', covered: [span(1, 21, 27)], digit: one(1, 27) },
      { name: 'optional', covered: [span(1, 28, 42)], digit: one(1, 42) },
      { name: 'composite', covered: [span(1, 0, 10), span(1, 13, 20), span(1, 21, 43)], digit: one(1, 43) },
    ],
  },
};

export const textOf = (lines: readonly string[], { line, from, to }: Span): string =>
  lines[line]?.slice(from, to) ?? '';

/** The format that so many lines of such length are; null for none. */
export function formatOf(lines: readonly string[]): MrzFormat | null {
  const fitting = Object.entries(LAYOUTS).find(
    ([, layout]) => lines.length === layout.lines && lines.every((line) => line.length === layout.columns),
  );
  return (fitting?.[0] as MrzFormat | undefined) ?? null;
}

/** Every check digit of the format, right or wrong. A TD1 number that goes on in the optional data is followed there. */
export function checkedDigits(lines: readonly string[], format: MrzFormat): CheckDigits {
  const digits: CheckDigits = {};
  for (const { name, covered, digit } of LAYOUTS[format].checks) {
    const text = covered.map((each) => textOf(lines, each)).join('');
    digits[name] = fits(text, textOf(lines, digit));
  }
  const long = longNumber(lines, format);
  if (long) digits.document_number = fits(long.number, long.digit);
  return digits;
}

/** TD1 numbers of more than nine characters: filler instead of the check digit, the rest and the digit in the optional data. */
export function longNumber(lines: readonly string[], format: MrzFormat): { number: string; digit: string } | null {
  const rest = LAYOUTS[format].optional2;
  if (format !== 'TD1' || rest === null || lines[0]?.[14] !== '<') return null;
  const more = /^([0-9A-Z]{1,13})([0-9])<+$/.exec(textOf(lines, rest));
  return more ? { number: `${lines[0].slice(5, 14)}${more[1]}`, digit: more[2] as string } : null;
}

const DIGITS: (keyof MrzLayout['fields'])[] = ['birth', 'expiry'];
const LETTERS: (keyof MrzLayout['fields'])[] = ['code', 'issuer', 'nationality', 'names'];

/** What may stand in each cell of a format, line by line. */
export function cellKinds(format: MrzFormat): CellKind[][] {
  const { lines, columns, fields, checks } = LAYOUTS[format];
  const kinds = Array.from({ length: lines }, () => Array<CellKind>(columns).fill('any'));
  const mark = ({ line, from, to }: Span, kind: CellKind) => kinds[line]?.fill(kind, from, to);
  for (const name of LETTERS) mark(fields[name], 'letter');
  for (const name of DIGITS) mark(fields[name], 'digit');
  for (const { digit } of checks) mark(digit, 'digit');
  mark(fields.sex, 'sex');
  return kinds;
}
