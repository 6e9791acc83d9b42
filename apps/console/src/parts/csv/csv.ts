type Cell = string | number | null;

/** RFC 4180, with a byte order mark, without which a spreadsheet misreads accents. */
export function csvOf(head: readonly string[], rows: readonly (readonly Cell[])[]): Blob {
  const text = [head, ...rows].map((cells) => cells.map(cellOf).join(',')).join('\r\n');
  return new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv' });
}

/** A text that a spreadsheet would run as a formula begins with an apostrophe. */
function cellOf(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
