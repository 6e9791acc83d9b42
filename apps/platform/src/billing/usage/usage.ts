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

/** Reads the daily totals, never the entries: a year costs what its days times its operations cost. */
@Injectable()
export class Usage {
  constructor(private readonly database: Database) {}

  async lines(tenantId: string, { from, to }: UsagePeriod, by: Granularity): Promise<UsageLine[]> {
    const rows = await this.database.tenant(tenantId, (tx) =>
      tx.query<Omit<UsageLine, 'operation'> & { ref_type: string }>(USAGE[by], [tenantId, from, to]),
    );
    return rows.map(({ period, module, ref_type, count, credits, refunded }) => {
      return { period, module, operation: operationOf(module, ref_type), count, credits, refunded };
    });
  }
}

/** In the order of the table's key, so that by day nothing is sorted; only the sums are written as texts. */
const usageBy = (period: string, format: string): string => `
  select to_char(period, '${format}') as period, module, ref_type, count, credits, refunded
    from (select ${period} as period, module, ref_type,
                 coalesce(sum(entries) filter (where kind in ('debit', 'capture')), 0)::bigint as count,
                 coalesce(sum(quantity) filter (where kind in ('debit', 'capture')), 0)::bigint as credits,
                 coalesce(sum(quantity) filter (where kind = 'refund'), 0)::bigint as refunded
            from platform.credit_daily_total
           where tenant_id = $1 and day between $2 and $3 and kind in ('debit', 'capture', 'refund')
           group by 1, 2, 3
           order by 1, 2, 3) sums`;

const USAGE: Readonly<Record<Granularity, string>> = {
  day: usageBy('day', 'YYYY-MM-DD'),
  month: usageBy(`date_trunc('month', day)::date`, 'YYYY-MM'),
};
