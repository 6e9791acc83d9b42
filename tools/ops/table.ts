/** A column: its title, what a row shows in it, and whether it may be cut when the table is wider than the terminal. */
export interface Column<Row> {
  title: string;
  of: (row: Row) => string | number | boolean | null | undefined;
  /** The least width that it may be cut to; without it, it is never cut (ids must be whole to be copied). */
  cutTo?: number;
  right?: boolean;
}

const GAP = 2;

/** Lines of a table no wider than `width`, if its columns can be cut that far. */
export function table<Row>(columns: Column<Row>[], rows: Row[], width: number): string[] {
  const cells = rows.map((row) => columns.map(({ of }) => shown(of(row))));
  const all = [columns.map(({ title }) => title), ...cells];
  const widths = columns.map((_, index) => Math.max(...all.map((line) => (line[index] as string).length)));
  fit(widths, columns, width);
  return all.map((line) =>
    line
      .map((cell, index) => padded(cut(cell, widths[index] as number), widths[index] as number, columns[index]?.right))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

/** Takes from the widest column that may be cut, until the line fits. */
function fit<Row>(widths: number[], columns: Column<Row>[], width: number): void {
  const total = () => widths.reduce((sum, each) => sum + each, 0) + GAP * (widths.length - 1);
  while (total() > width) {
    const cuttable = columns.flatMap(({ cutTo }, index) =>
      cutTo !== undefined && (widths[index] as number) > cutTo ? [index] : [],
    );
    if (cuttable.length === 0) return;
    const widest = cuttable.reduce((a, b) => ((widths[b] as number) > (widths[a] as number) ? b : a));
    widths[widest] = (widths[widest] as number) - 1;
  }
}

/** Two columns: names and values, for one thing. */
export function facts(rows: [name: string, value: string | number | boolean | null | undefined][]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${shown(value) || '-'}`.trimEnd());
}

/** Text in lines of at most `width`, each after `indent`. */
export function wrapped(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width - indent.length)
      lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => indent + line);
}

/** What came from outside is shown on one line, without what would move the cursor or change the colours of a terminal. */
function shown(value: string | number | boolean | null | undefined): string {
  return String(value ?? '').replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

function padded(text: string, width: number, right = false): string {
  return right ? text.padStart(width) : text.padEnd(width);
}
