import { StreamableFile } from '@nestjs/common';

/** Columns by name, each with how its cell is read from a row. Cells are numbers and words of the API: nothing in them needs quotes. */
export type CsvColumns<Row> = Record<string, (row: Row) => string | number>;

/** RFC 4180: a header line, commas, CRLF. Throws for a cell that would need quotes. */
export function csvOf<Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string {
  const cells = Object.values(columns);
  const lines = rows.map((row) => cells.map((cell) => plain(cell(row))).join(','));
  return [Object.keys(columns).join(','), ...lines, ''].join('\r\n');
}

export function csvFile(text: string, name: string): StreamableFile {
  return new StreamableFile(Buffer.from(text), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${name}.csv"`,
  });
}

function plain(cell: string | number): string {
  const text = String(cell);
  if (!/^[\w.:-]*$/.test(text)) throw new TypeError('a cell of this file holds a word or a number');
  return text;
}
