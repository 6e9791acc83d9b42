import { Table } from '@constancia/web';
import { readCsv } from '../parts/csv/csv-file.ts';
import type { CsvRow } from '../parts/csv/csv-rows.ts';

const SHOWN = 5;

/** The first rows of a file as they were read. */
export function FirstRows({ text, caption }: { text: string; caption: string }) {
  const [head, ...rows] = readCsv(text).rows.slice(0, SHOWN + 1);
  if (head === undefined || rows.length === 0) return null;
  return (
    <Table<CsvRow>
      caption={caption}
      rows={rows}
      keyOf={({ line }) => String(line)}
      columns={head.cells.map((title, at) => ({ title, of: ({ cells }) => cells[at] ?? '' }))}
    />
  );
}
