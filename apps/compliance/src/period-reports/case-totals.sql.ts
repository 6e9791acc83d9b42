import type { Tx } from '@constancia/persistence';
import type { DatedLists, NamedVersions } from '../lists/dated-lists.ts';
import { ListAgeTotals } from './list-age-totals.ts';
import type { ReportPeriod } from './report-period.ts';
import { slicesOf } from './slices.sql.ts';
import { Tally } from './tallies.ts';

const SLICE = 20_000;

/** What is counted of cases. */
type Counted = 'status' | 'decision' | 'priority' | 'rule' | 'list' | 'fact';

export class CaseTotals {
  readonly by: Readonly<Record<Counted, Tally>> = {
    ...{ status: new Tally(), decision: new Tally(), priority: new Tally() },
    ...{ rule: new Tally(), list: new Tally(), fact: new Tally() },
  };
  /** How many cases took how many minutes from the opening to the decision. */
  readonly minutes = new Map<number, number>();
  readonly ages: ListAgeTotals;

  constructor(dated: DatedLists) {
    this.ages = new ListAgeTotals(dated);
  }
}

/** `about`: one of Counted, `minutes`, or `lists`, which alone has versions and the time of the last decision. */
interface Row {
  about: Counted | 'minutes' | 'lists';
  name: string;
  count: number;
  versions: NamedVersions | null;
  latest: Date | null;
}

/** One pass over the rows of a slice. $4: turning points of the lists. */
const TOTALS = `
  with opened as materialized (
    select status, decision, priority, rules_fired, list_hits, list_versions, opened_at, resolved_at, due_at, ros_reference
      from compliance.review_case where tenant_id = $1 and opened_at >= $2 and opened_at < $3)
  select 'status' as about, status as name, count(*) as count, null::jsonb as versions, null::timestamptz as latest
    from opened group by status
  union all select 'decision', decision, count(*), null, null from opened where status = 'resolved' group by decision
  union all select 'priority', priority, count(*), null, null from opened group by priority
  union all select 'rule', rule, count(*), null, null from opened, unnest(rules_fired) rule group by rule
  union all select 'list', list, count(*), null, null from opened, unnest(list_hits) list group by list
  union all select 'fact', 'overdue', count(*), null, null from opened where status <> 'resolved' and due_at <= now()
  union all select 'fact', 'late', count(*), null, null from opened where status = 'resolved' and resolved_at > due_at
  union all select 'fact', 'ros', count(*), null, null from opened where ros_reference is not null
  union all
  select 'minutes', floor(extract(epoch from resolved_at - opened_at) / 60)::text, count(*), null, null
    from opened where status = 'resolved' group by 2
  union all
  select 'lists', '', count(*), list_versions, max(resolved_at)
    from opened where status = 'resolved' group by list_versions, width_bucket(resolved_at, $4::timestamptz[])`;

/** Counts the cases that were opened in a period, slice by slice. */
export async function caseTotals(
  tx: Tx,
  tenantId: string,
  period: ReportPeriod,
  dated: DatedLists,
): Promise<CaseTotals> {
  const totals = new CaseTotals(dated);
  const turningPoints = dated.turningPoints();
  const rows = { tenantId, table: 'review_case', column: 'opened_at', size: SLICE } as const;
  for await (const { from, to } of slicesOf(tx, rows, period)) {
    for (const row of await tx.query<Row>(TOTALS, [tenantId, from, to, turningPoints])) add(totals, row);
  }
  return totals;
}

function add({ by, minutes, ages }: CaseTotals, { about, name, count, versions, latest }: Row): void {
  if (about === 'minutes') minutes.set(Number(name), (minutes.get(Number(name)) ?? 0) + count);
  else if (about !== 'lists') by[about].add(name, count);
  else if (versions !== null && latest !== null) ages.add({ versions, count, latest });
}
