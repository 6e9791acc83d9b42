import { csvRows } from './csv-rows.ts';
import { ListFileProblem } from './list-file-problem.ts';
import type { ListFile } from './list-source.ts';
import type { Reading } from './reading.ts';

/** One row of a CSV file with a header. */
export interface TableRow {
  line: number;
  has(column: string): boolean;
  /** A trimmed cell; empty where the file has no such column. */
  cell(column: string): string;
  /** The values of a cell that holds several. */
  values(column: string): string[];
}

export interface TableShape {
  /** Columns without which the file is another one. */
  required: readonly string[];
  /** Every column that may be there, where an unknown one is a mistake in the file. */
  known?: readonly string[];
  delimiter?: string;
}

/** The rows of a CSV file with a header. Throws ListFileProblem wrong_format (a column is missing or unknown) and csvRows'. */
export async function* tableRows(reading: Reading, file: ListFile, shape: TableShape): AsyncGenerator<TableRow> {
  let columns: Map<string, number> | undefined;
  for await (const { cells, line } of csvRows(reading, file, { delimiter: shape.delimiter })) {
    if (!columns) {
      columns = columnsOf(cells, shape, file);
      continue;
    }
    const positions = columns;
    const cell = (column: string) => cells[positions.get(column) ?? -1]?.trim() ?? '';
    yield { line, has: (column) => positions.has(column), cell, values: (column) => multiValues(cell(column)) };
  }
}

function columnsOf(cells: string[], shape: TableShape, file: ListFile): Map<string, number> {
  const columns = new Map(cells.map((name, index) => [name.trim(), index]));
  const missing = shape.required.filter((column) => !columns.has(column));
  const unknown = shape.known ? [...columns.keys()].filter((column) => !shape.known?.includes(column)) : [];
  if (missing.length === 0 && unknown.length === 0) return columns;
  const faults = [
    missing.length > 0 && `lacks ${missing.join(', ')}`,
    unknown.length > 0 && `has the unknown ${unknown.join(', ')} (known: ${shape.known?.join(', ')})`,
  ].filter(Boolean);
  throw new ListFileProblem('wrong_format', `The header ${faults.join(' and ')}.`, { file: file.name, line: 1 });
}

/**
 * The values of one cell, joined with `;`. A value that holds a `;` or a quote itself stands in quotes, quotes doubled:
 * `"Foo; Bar"; Baz` has two.
 */
export function multiValues(cell: string): string[] {
  const parts = cell.match(/\s*(?:"(?:[^"]|"")*"|[^;])+/g) ?? [];
  return parts.map((part) => unquoted(part.trim())).filter(Boolean);
}

function unquoted(part: string): string {
  return /^".*"$/s.test(part) ? part.slice(1, -1).replaceAll('""', '"').trim() : part;
}
