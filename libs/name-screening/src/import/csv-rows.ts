import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { ListFileProblem } from './list-file-problem.ts';
import type { ListFile } from './list-source.ts';
import type { Reading } from './reading.ts';

export interface CsvRow {
  cells: string[];
  /** On which it begins, from 1. */
  line: number;
}

/** Control-Z, with which OFAC ends its files: a rest of CP/M. */
const CONTROL_Z = '\u001a';

/**
 * The rows of a CSV file (RFC 4180), one after the other. All rows have as many cells as the first, or `columns`; a shorter
 * last row means that the file was cut. Throws ListFileProblem truncated, malformed, too_large and what reading throws.
 */
export async function* csvRows(
  reading: Reading,
  file: ListFile,
  options: { columns?: number; delimiter?: string } = {},
): AsyncGenerator<CsvRow> {
  const parser = parse({
    delimiter: options.delimiter ?? ',',
    relax_column_count: true,
    max_record_size: reading.limits.maxRecordCharacters,
  });
  const text = Readable.from(withoutControlZ(reading.text(file)));
  text.once('error', (error) => parser.destroy(error));
  const shape = new RowShape(file, options.columns);
  try {
    // Lines are counted here: csv-parse's own `info` takes two thirds of the time of a large file.
    let line = 1;
    for await (const cells of text.pipe(parser) as AsyncIterable<string[]>) {
      const row = { cells, line };
      line += 1 + newlinesIn(cells);
      if (isBlank(cells)) continue;
      const complete = shape.take(row);
      if (complete) yield complete;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const before = shape.last();
    if (before) yield before;
    throw problemOf(error, file);
  } finally {
    text.destroy();
  }
  const last = shape.last();
  if (last) yield last;
}

function isBlank(cells: string[]): boolean {
  return cells.length === 1 && cells[0]?.trim() === '';
}

function newlinesIn(cells: string[]): number {
  let count = 0;
  for (const cell of cells) if (cell.includes('\n')) count += cell.split('\n').length - 1;
  return count;
}

async function* withoutControlZ(text: AsyncGenerator<string>): AsyncGenerator<string> {
  for await (const piece of text) yield piece.replaceAll(CONTROL_Z, '');
}

/** Holds back the last row until another follows, for only the last one may be half a row. */
class RowShape {
  private held?: CsvRow;
  private first = true;

  constructor(
    private readonly file: ListFile,
    private columns?: number,
  ) {}

  take(row: CsvRow): CsvRow | undefined {
    const complete = this.held && this.whole(this.held, 'malformed');
    this.held = row;
    return complete;
  }

  last(): CsvRow | undefined {
    return this.held && this.whole(this.held, 'truncated');
  }

  private whole(row: CsvRow, otherwise: 'malformed' | 'truncated'): CsvRow {
    const first = this.first;
    this.first = false;
    this.columns ??= row.cells.length;
    if (row.cells.length === this.columns) return row;
    const cells = `has ${row.cells.length} cells, not ${this.columns}`;
    const place = { file: this.file.name, line: row.line };
    if (first) throw new ListFileProblem('wrong_format', `The first row ${cells}: this is another file.`, place);
    if (otherwise === 'malformed') {
      throw new ListFileProblem('malformed', `The row ${cells}. Check its commas and quotes.`, place);
    }
    throw new ListFileProblem('truncated', `The last row ${cells}: the file was cut. Download it again.`, place);
  }
}

function problemOf(error: CsvError, file: ListFile): ListFileProblem {
  const line = typeof error['lines'] === 'number' ? error['lines'] : undefined;
  const place = { file: file.name, line };
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
    return new ListFileProblem(
      'truncated',
      'The file ends inside a quoted cell: it was cut, or a quote is not closed. Download it again.',
      place,
    );
  }
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return new ListFileProblem('too_large', 'One row is larger than any list has. Check its quotes.', place);
  }
  return new ListFileProblem('malformed', `The row is not CSV: ${error.message}.`, place);
}
