import type { Tx } from '@constancia/persistence';
import type { ReportPeriod } from './report-period.ts';

/** A table whose rows are read in the order of a time that is indexed. */
export interface SlicedRows {
  tenantId: string;
  table: 'review_case' | 'screening';
  column: 'opened_at' | 'created_at';
  /** Rows of a slice, so that each statement ends long before the limit of statements. */
  size: number;
}

/** The parts of a period, each with about as many rows, the earliest first. */
export async function* slicesOf(tx: Tx, rows: SlicedRows, { from, to }: ReportPeriod): AsyncGenerator<ReportPeriod> {
  for (let begin = from; begin < to;) {
    const end = (await boundaryOf(tx, rows, { from: begin, to })) ?? to;
    yield { from: begin, to: end };
    begin = end;
  }
}

/** The time of the first row after a slice; undefined for the last slice. */
async function boundaryOf(
  tx: Tx,
  { tenantId, table, column, size }: SlicedRows,
  { from, to }: ReportPeriod,
): Promise<Date | undefined> {
  const [row] = await tx.query<{ at: Date }>(
    `select ${column} as at from compliance.${table}
      where tenant_id = $1 and ${column} >= $2 and ${column} < $3 and erasure_id is null order by ${column} offset $4 limit 1`,
    [tenantId, from, to, size],
  );
  if (!row) return undefined;
  // Date has no microseconds: a slice is at least one millisecond long.
  return new Date(Math.min(to.getTime(), Math.max(row.at.getTime(), from.getTime() + 1)));
}
