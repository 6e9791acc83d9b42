import { csvRows } from '../../parts/csv/csv-rows.ts';

/** Columns of the tenant's own list, in the order of the file. */
export const COLUMNS = [
  'id',
  'kind',
  'name',
  'aliases',
  'weak_aliases',
  'birth_date',
  'countries',
  'identifiers',
  'programmes',
  'role',
  'role_until',
] as const;
export type Column = (typeof COLUMNS)[number];

/** An entry by its cells, as they stand in the file. */
export type InternalRow = Record<Column, string>;

export function rowsIn(text: string): InternalRow[] {
  const [header, ...rows] = csvRows(text);
  const columns = header?.cells ?? [];
  return rows.map(({ cells }) => {
    const cellOf = (column: Column): string => cells[columns.indexOf(column)] ?? '';
    return Object.fromEntries(COLUMNS.map((column) => [column, cellOf(column)])) as InternalRow;
  });
}

/** The file again. Its cells are texts of their own: unlike csvOf, nothing is added to protect a spreadsheet. */
export function textOf(rows: readonly InternalRow[]): string {
  const quoted = (cell: string): string => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = rows.map((row) => COLUMNS.map((column) => quoted(row[column])).join(','));
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}
