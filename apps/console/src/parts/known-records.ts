import type { RecordQuery } from './record-table.tsx';

/** Rows that are here already, for a table of records. */
export const knownRecords = <Row>(rows: readonly Row[]): RecordQuery<Row> => ({
  data: rows,
  error: null,
  hasNextPage: false,
  isFetching: false,
  isFetchingNextPage: false,
  fetchNextPage: () => Promise.resolve(),
  refetch: () => Promise.resolve(),
});
