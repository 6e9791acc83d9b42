import type { ReactNode } from 'react';
import { useFocusKept } from './focus.ts';

export interface TableColumn<Row> {
  title: string;
  of: (row: Row) => ReactNode;
  /** Long ids and texts, which may be broken anywhere. */
  wide?: boolean;
}

interface TableProps<Row> {
  caption: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  /** What distinguishes a row from the others when rows come and go; its place when left out. */
  keyOf?: (row: Row) => string;
}

/** A table that becomes a list of cards on a phone. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  useFocusKept(rows);
  return (
    <div className="table" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf?.(row) ?? index}>
              {columns.map(({ title, of, wide }) => (
                <td key={title} data-title={title} className={wide === true ? 'wide' : undefined}>
                  {of(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
