import { operationOf } from '@constancia/contracts';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import type { Granularity, UsagePeriod } from './usage-period.ts';

/** What a tenant did of one operation in a day or a month. */
export interface UsageLine {
  /** YYYY-MM-DD or YYYY-MM, in Colombia. */
  period: string;
  module: string;
  operation: string;
  /** Debits, and holds that were spent. */
  count: number;
  /** What they cost. */
  credits: number;
  /** Given back in this period, whenever it was debited. */
  refunded: number;
}

/** The totals of one operation and kind, for every period that has some: lists as Postgres writes them, of the same length. */
interface TotalsRow {
  module: string;
  ref_type: string;
  kind: 'debit' | 'capture' | 'refund';
  periods: string;
  entries: string;
  quantities: string;
}

/** Reads the daily totals, never the entries: a year costs what its days times its operations cost. */
@Injectable()
export class Usage {
  constructor(private readonly database: Database) {}

  async lines(tenantId: string, { from, to }: UsagePeriod, by: Granularity): Promise<UsageLine[]> {
    const rows = await this.database.snapshot(tenantId, (tx) => tx.query<TotalsRow>(USAGE[by], [tenantId, from, to]));
    return linesOf(rows);
  }
}

/** The lines of operations, which come in their order, by period. */
function linesOf(rows: readonly TotalsRow[]): UsageLine[] {
  const operations = new Map<string, Map<string, UsageLine>>();
  const periods = new Set<string>();
  for (const { module, ref_type, kind, ...totals } of rows) {
    const key = `${module} ${ref_type}`;
    const lines = operations.get(key) ?? new Map<string, UsageLine>();
    operations.set(key, lines);
    const operation = operationOf(module, ref_type);
    const [entries, quantities] = [listed(totals.entries), listed(totals.quantities)];
    for (const [nth, period] of listed(totals.periods).entries()) {
      const line = lines.get(period) ?? { period, module, operation, count: 0, credits: 0, refunded: 0 };
      if (kind === 'refund') line.refunded += Number(quantities[nth]);
      else {
        line.count += Number(entries[nth]);
        line.credits += Number(quantities[nth]);
      }
      lines.set(period, line);
      periods.add(period);
    }
  }
  return [...periods].sort().flatMap((period) => [...operations.values()].flatMap((lines) => lines.get(period) ?? []));
}

/** The elements of an array of dates or numbers, as texts. */
const listed = (array: string): string[] => array.slice(1, -1).split(',');

/**
 * A row per operation and kind, with its periods in arrays: a year by day is thousands of totals, and a row of the protocol costs more
 * than all else that is done with one. Nothing is sorted but these few rows.
 */
const totalsOf = (source: string): string => `
  select module, ref_type, kind, array_agg(period)::text as periods, array_agg(entries)::text as entries,
         array_agg(quantity)::text as quantities
    from (${source}) each
   group by 1, 2, 3
   order by 1, 2, 3`;

const RANGE = `
    from platform.credit_daily_total
   where tenant_id = $1 and day between $2 and $3 and kind in ('debit', 'capture', 'refund')`;

const USAGE: Readonly<Record<Granularity, string>> = {
  day: totalsOf(`select day as period, module, ref_type, kind, entries, quantity ${RANGE}`),
  // Of a timestamp without time zone: with one, each day would be looked up in the session's zone.
  month: totalsOf(`
    select to_char(month, 'YYYY-MM') as period, module, ref_type, kind, entries, quantity
      from (select date_trunc('month', day::timestamp) as month, module, ref_type, kind, sum(entries) as entries, sum(quantity) as quantity
              ${RANGE} group by 1, 2, 3, 4) months`),
};
