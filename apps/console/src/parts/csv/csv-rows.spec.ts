import { describe, expect, it } from 'vitest';
import { csvRows, UnclosedQuote } from './csv-rows.ts';

describe('rows of a CSV file', () => {
  it.each([
    ['a,b\n1,2\n', [['a', 'b'], ['1', '2']]],
    ['\uFEFFa;b\r\n1;2', [['a', 'b'], ['1', '2']]],
    ['a,b\n"x, ""y""",\n,\n', [['a', 'b'], ['x, "y"', ''], ['', '']]],
    ['a,b\n1,', [['a', 'b'], ['1', '']]],
    ['a , b\n" x "," "\n', [['a', 'b'], ['x', '']]],
    ['a\tb\r1, 2\t"x\ty"', [['a', 'b'], ['1, 2', 'x\ty']]],
    ['', []],
  ] as const)('%j', (text, cells) => {
    expect(csvRows(text).map((row) => row.cells)).toEqual(cells);
  }); // prettier-ignore

  it('have the line on which they begin', () => {
    const rows = csvRows('a,b\n"\ntwo lines",1\n\nlast,2\n');
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  it('cannot be read when a quote is not closed', () => {
    expect(() => csvRows('a\n"b\n')).toThrow(UnclosedQuote);
    expect(() => csvRows('a\n"b"c\n')).toThrow(UnclosedQuote);
  });
});
