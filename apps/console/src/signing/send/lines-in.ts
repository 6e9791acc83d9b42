const SEPARATORS = ['\t', ';', ','];

/**
 * The cells of a table, line by line: what a spreadsheet copies (tabs), or CSV (RFC 4180) with commas or semicolons. Empty lines are left
 * out.
 */
export function linesIn(text: string): string[][] {
  const [head = ''] = text.split('\n', 1);
  const separator = SEPARATORS.find((one) => head.includes(one)) ?? ',';
  const lines: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  const endCell = (): void => {
    cells.push(cell);
    cell = '';
  };
  const endLine = (): void => {
    endCell();
    if (cells.some((one) => one.trim() !== '')) lines.push(cells);
    cells = [];
  };
  const content = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  for (let at = 0; at < content.length; at++) {
    const character = content[at] as string;
    if (quoted) {
      if (character !== '"') cell += character;
      else if (content[at + 1] === '"') cell += content[at++];
      else quoted = false;
    } else if (character === '"' && cell === '') quoted = true;
    else if (character === separator) endCell();
    else if (character === '\n') endLine();
    else cell += character;
  }
  endLine();
  return lines;
}

/** The same as text, with tabs between cells. */
export const textOf = (lines: readonly (readonly string[])[]): string =>
  lines
    .map((cells) => cells.map((cell) => (/["\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t'))
    .join('\n');
