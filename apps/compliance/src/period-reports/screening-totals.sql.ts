import type { Tx } from '@constancia/persistence';
import type { Decision, SubjectType } from '@constancia/rule-graph';
import type { DatedLists, NamedVersions } from '../lists/dated-lists.ts';
import type { Trigger } from '../screenings/screening-history.ts';
import { ListAgeTotals } from './list-age-totals.ts';
import type { ReportPeriod } from './report-period.ts';
import { slicesOf } from './slices.sql.ts';
import { Tally } from './tallies.ts';

const SLICE = 50_000;

export class ScreeningTotals {
  readonly outcomes = new Tally();
  readonly ofType: Readonly<Record<SubjectType, Tally>> = { natural: new Tally(), legal: new Tally() };
  readonly triggers = new Tally();
  readonly lists = new Tally();
  readonly ages: ListAgeTotals;

  constructor(dated: DatedLists) {
    this.ages = new ListAgeTotals(dated);
  }
}

interface Group {
  decision: Decision;
  subject_type: SubjectType;
  trigger: Trigger;
  versions: NamedVersions;
  count: number;
  latest: Date;
}

const OF_SLICE = `from compliance.screening where tenant_id = $1 and created_at >= $2 and created_at < $3 and erasure_id is null`;

/** $4: turning points of the lists. */
const GROUPS = `
  select decision, subject_type, trigger, list_versions as versions, count(*) as count, max(created_at) as latest
  ${OF_SLICE} group by decision, subject_type, trigger, list_versions, width_bucket(created_at, $4::timestamptz[])`;

const HITS = `select list as name, count(*) as count from (select unnest(list_hits) as list ${OF_SLICE}) hit group by list`;

/** Counts the screenings of a period, slice by slice, from the index screening_period. */
export async function screeningTotals(
  tx: Tx,
  tenantId: string,
  period: ReportPeriod,
  dated: DatedLists,
): Promise<ScreeningTotals> {
  const totals = new ScreeningTotals(dated);
  const turningPoints = dated.turningPoints();
  const rows = { tenantId, table: 'screening', column: 'created_at', size: SLICE } as const;
  for await (const { from, to } of slicesOf(tx, rows, period)) {
    for (const group of await tx.query<Group>(GROUPS, [tenantId, from, to, turningPoints])) add(totals, group);
    const hits = await tx.query<{ name: string; count: number }>(HITS, [tenantId, from, to]);
    for (const { name, count } of hits) totals.lists.add(name, count);
  }
  return totals;
}

function add(totals: ScreeningTotals, { decision, subject_type, trigger, versions, count, latest }: Group): void {
  totals.outcomes.add(decision, count);
  totals.ofType[subject_type].add(decision, count);
  totals.triggers.add(trigger, count);
  totals.ages.add({ versions, count, latest });
}
