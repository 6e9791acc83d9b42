import { stillUnderWay } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { takeSlot } from '@constancia/tenant-export';
import { Injectable } from '@nestjs/common';
import { ListAges } from '../lists/dated-lists.ts';
import { archivedWithin } from '../screenings/archive/archived-screenings.ts';
import { type CaseTotals, caseTotals } from './case-totals.sql.ts';
import type { ReportPeriod } from './report-period.ts';
import { type ScreeningTotals, screeningTotals } from './screening-totals.sql.ts';

/** What was counted of a period, all of one moment. */
export interface PeriodTotals {
  period: ReportPeriod;
  madeAt: Date;
  cases: CaseTotals;
  screenings: ScreeningTotals;
  /** Until when screenings of the period are archived, and not counted; null: all are counted. */
  archivedUntil: Date | null;
}

/** Reports of one process at a time: each holds a connection of the pool while it counts. */
const MOST_AT_ONCE = 2;
/** After this long without a statement the connection is taken to be lost. */
const IDLE_MS = 20_000;

/** Counts what happened in a period. The store counts, in statements that each end soon; this process only adds up. */
@Injectable()
export class PeriodReports {
  private underWay = 0;

  constructor(
    private readonly database: Database,
    private readonly ages: ListAges,
  ) {}

  /** Throws Conflict while another report of the tenant, or enough of others, are under way. */
  async read(tenantId: string, period: ReportPeriod): Promise<PeriodTotals> {
    if (this.underWay >= MOST_AT_ONCE) throw stillUnderWay('Other reports are under way');
    this.underWay += 1;
    try {
      return await this.database.snapshot(tenantId, async (tx) => {
        await takeSlot(tx, `period-report:${tenantId}`, IDLE_MS, 'A report of yours is under way');
        const dated = await this.ages.since(tx, period.from);
        return {
          period,
          madeAt: new Date(),
          cases: await caseTotals(tx, tenantId, period, dated),
          screenings: await screeningTotals(tx, tenantId, period, dated),
          archivedUntil: await archivedWithin(tx, tenantId, period.from),
        };
      });
    } finally {
      this.underWay -= 1;
    }
  }
}
