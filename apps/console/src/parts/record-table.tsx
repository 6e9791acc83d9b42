import { Button, type TableColumn, useFocusKept } from '@constancia/web';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useCallback, useLayoutEffect, useRef } from 'react';
import { useText } from '../text/language.ts';
import { Loaded } from './loaded.tsx';
import { useTop } from './use-top.ts';

export interface RecordColumn<Row> extends TableColumn<Row> {
  /** Its share of the width, as in CSS grid; `1fr` when left out. */
  width?: string;
}

/** What the table needs of the query that loads its rows. */
export interface RecordQuery<Row> extends Pick<
  UseInfiniteQueryResult<Row[]>,
  'error' | 'hasNextPage' | 'isFetching' | 'isFetchingNextPage'
> {
  data: readonly Row[] | undefined;
  fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<unknown>;
  refetch: () => unknown;
}

interface RecordTableProps<Row> {
  caption: string;
  query: RecordQuery<Row>;
  columns: readonly RecordColumn<Row>[];
  keyOf: (row: Row) => string;
  /** Shown instead of rows when there are none: what to do. */
  empty: ReactNode;
}

/** Rows that are drawn beyond those that are seen. */
const OVERSCAN_ROWS = 6;
/** The next page is asked for so many rows before the end. */
const ROWS_AHEAD = 40;
const ROW_PX = 53;
/** Between the cards of a phone, which are drawn below this width (console.css). */
const CARD_GAP_PX = 10;
const CARDS = matchMedia('(max-width: 59.99rem)');

/**
 * A list of any length as a table: only the rows near what is seen are in the document. The next page is loaded when its end comes near,
 * and by a button. On a phone each row is a card.
 */
export function RecordTable<Row>({ caption, query, columns, keyOf, empty }: RecordTableProps<Row>) {
  const { text } = useText();
  const { data: rows, error, hasNextPage, isFetching, isFetchingNextPage, fetchNextPage } = query;
  useFocusKept(rows);
  const place = useRef<HTMLDivElement>(null);
  const top = useTop(place); // known before the rows are: no row is drawn that is not near what is seen
  const virtualizer = useWindowVirtualizer({
    count: rows?.length ?? 0,
    estimateSize: () => ROW_PX,
    getItemKey: useCallback(
      (index: number) => (rows?.[index] === undefined ? index : keyOf(rows[index])),
      [rows], // not keyOf, which each render of a screen writes again: every row would be measured again
    ),
    gap: CARDS.matches ? CARD_GAP_PX : 0,
    overscan: OVERSCAN_ROWS,
    scrollMargin: top,
  });
  const shown = virtualizer.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useLayoutEffect(() => {
    if (rows !== undefined && hasNextPage && !isFetching && error === null && last >= rows.length - ROWS_AHEAD)
      void fetchNextPage({ cancelRefetch: false });
  }, [rows, hasNextPage, isFetching, error, last, fetchNextPage]);

  const template = columns.map(({ width }) => width ?? 'minmax(0, 1fr)').join(' ');
  const table = (rows: readonly Row[]): ReactNode =>
    rows.length === 0 ? (
      <div className="empty">{empty}</div>
    ) : (
      <div
        className="records"
        role="table"
        aria-label={caption}
        aria-rowcount={hasNextPage ? -1 : rows.length + 1}
        style={{ '--columns': template } as React.CSSProperties}
      >
        <div role="rowgroup" className="records-head">
          <div role="row" aria-rowindex={1}>
            {columns.map(({ title }) => (
              <span role="columnheader" key={title}>
                {title}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className="records-body" style={{ height: virtualizer.getTotalSize() }}>
          {shown.map(({ index, key, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <DrawnRow
                key={key}
                row={row}
                measure={virtualizer.measureElement}
                columns={columns}
                index={index}
                topPx={start - top}
              />
            );
          })}
        </div>
      </div>
    );
  return (
    <>
      <div ref={place}>
        <Loaded query={query}>{table}</Loaded>
      </div>
      {hasNextPage && (
        <div className="actions">
          <Button busy={isFetchingNextPage} onPress={() => void fetchNextPage({ cancelRefetch: false })}>
            {text.more}
          </Button>
        </div>
      )}
    </>
  );
}

interface RecordRowProps<Row> {
  row: Row;
  columns: readonly RecordColumn<Row>[];
  index: number;
  topPx: number;
  measure: (row: HTMLElement | null) => void;
}

function RecordRow<Row>({ row, columns, index, topPx, measure }: RecordRowProps<Row>) {
  return (
    <div
      role="row"
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${topPx}px)` }}
    >
      {columns.map(({ title, of, wide }) => (
        <div role="cell" key={title} data-title={title} className={wide === true ? 'wide' : undefined}>
          {of(row)}
        </div>
      ))}
    </div>
  );
}

/** Scrolling draws the rows that come into view, and none of the others again. React's type of `memo` forgets what a row is. */
const DrawnRow = memo(RecordRow) as typeof RecordRow;
