import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import type { StatementMonth } from './statement-month.ts';
import { type Statement, statementOf, type StatementRow } from './statement.ts';

/** Reads the daily totals in one statement, so that all figures are of the same moment. */
@Injectable()
export class Statements {
  constructor(private readonly database: Database) {}

  async of(tenantId: string, month: StatementMonth): Promise<Statement> {
    const rows = await this.database.tenant(tenantId, (tx) =>
      tx.query<StatementRow>(TOTALS, [tenantId, month.from, month.next]),
    );
    return statementOf(month, rows);
  }
}

const TOTALS = `
  select day < $2 as before, module, ref_type, kind, sum(entries)::bigint as entries, sum(quantity)::bigint as quantity,
         sum(amount)::bigint as amount
    from platform.credit_daily_total
   where tenant_id = $1 and day < $3
   group by 1, 2, 3, 4`;
