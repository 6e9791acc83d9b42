export interface CsvRow {
  /** Of its first character; the first line is 1. */
  line: number;
  cells: string[];
}

/** A quoted cell has no end, or goes on after it. */
export class UnclosedQuote extends Error {
  constructor(readonly line: number) {
    super(`the quote that opens on line ${line} is not closed`);
  }
}

/**
 * The rows of a CSV file (RFC 4180), separated by commas, by semicolons as Excel writes it in Spanish, or by tabs as a spreadsheet copies
 * them; spaces around a cell and empty lines are left out. @throws UnclosedQuote
 */
export function csvRows(file: string): CsvRow[] {
  const text = file.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const header = text.slice(0, text.indexOf('\n') === -1 ? undefined : text.indexOf('\n'));
  const delimiter = header.includes('\t') ? '\t' : header.includes(';') && !header.includes(',') ? ';' : ',';
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [] };
  let line = 1;
  const endOfRow = (): void => {
    if (row.cells.length > 1 || row.cells[0] !== '') rows.push(row);
    line++;
    row = { line, cells: [] };
  };
  for (let at = 0; at < text.length;) {
    const { cell, end } = text[at] === '"' ? quotedCell(text, at, line) : plainCell(text, at, delimiter);
    row.cells.push(cell.trim());
    line += cell.split('\n').length - 1;
    const next = text[end];
    if (next !== undefined && next !== delimiter && next !== '\n') throw new UnclosedQuote(line);
    if (next === delimiter && end + 1 === text.length) row.cells.push('');
    if (next !== delimiter) endOfRow();
    else if (text[end + 1] === '\n') {
      row.cells.push('');
      at = end + 2;
      endOfRow();
      continue;
    }
    at = end + 1;
  }
  if (row.cells.length > 0) endOfRow();
  return rows;
}

function plainCell(text: string, at: number, delimiter: string): { cell: string; end: number } {
  let end = at;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end++;
  return { cell: text.slice(at, end), end };
}

function quotedCell(text: string, at: number, line: number): { cell: string; end: number } {
  let cell = '';
  for (let from = at + 1; ;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) throw new UnclosedQuote(line);
    cell += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { cell, end: quote + 1 };
    cell += '"';
    from = quote + 2;
  }
}
