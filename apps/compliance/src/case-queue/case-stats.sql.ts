import { ALL_LIST_CODES } from '@constancia/reference-data';
import { Database } from '@constancia/persistence';
import { CASE_STATUSES } from '../case-records/case-states.ts';

export const AGES = ['0-24h', '1-3d', '3-7d', 'older'] as const;
export const SEVERITIES = ['review', 'reject'] as const;
/** Assignees that are listed one by one, those with the most cases first. */
export const ASSIGNEES = 100;

/** What is listed in full. */
export const NAMES = {
  by_status: CASE_STATUSES,
  by_severity: SEVERITIES,
  by_list: ALL_LIST_CODES,
  by_assignee: [],
  by_age: AGES,
} as const satisfies Record<string, readonly string[]>;

export interface Counted {
  kind: keyof typeof NAMES | 'total';
  name: string;
  value: number;
}

/**
 * Cases that wait are read once. Of resolved ones, days that are over are stored (`case_stats_day`, ADR 0266); today, and a day that could
 * not be stored, is read from an index alone. The median is found by halving the range of buckets, at the same cost however many a day
 * has. $2: the first day.
 */
export const COUNTED = `
  with recursive waiting as materialized (
    select status, screening_decision, list_hits, assignee, opened_at, sla_breached_at, ros_reference
      from compliance.review_case where tenant_id = $1 and status <> 'resolved' and erasure_id is null
  ), stored as materialized (
    select day, resolved, breached, drafted, buckets, upto from compliance.case_stats_day where tenant_id = $1 and day >= $2::date
  ), days as materialized (
    select resolved, breached, drafted, buckets, upto from stored
    union all
    select r.* from (select $2::date + n as day from generate_series(0, (now() at time zone 'utc')::date - $2::date) n
                     except select day from stored) d,
                    lateral compliance.cases_resolved_on($1, d.day) r
  ), median (rank, low, high) as (
    select rank, 0, 2047
      from (select sum(resolved) as cases from days) t, lateral (values (div(cases + 1, 2)), (div(cases, 2) + 1)) middle (rank)
     where cases > 0
    union all
    select rank, case when reached then low else middle + 1 end, case when reached then middle else high end
      from median,
           lateral (select (low + high) / 2 as middle) m,
           lateral (select sum(upto[width_bucket(middle::smallint, buckets)]) >= rank as reached from days) r
     where low < high
  )
  select 'by_status' as kind, status as name, count(*)::float8 as value from waiting group by status
  union all select 'by_status', 'resolved', sum(resolved) from days
  union all select 'by_severity', screening_decision, count(*) from waiting group by screening_decision
  union all select 'by_list', list, count(*) from waiting, unnest(list_hits) list group by list
  union all (select 'by_assignee', assignee, count(*) from waiting where assignee is not null
              group by assignee order by 3 desc, 2 limit ${ASSIGNEES})
  union all select 'by_age', case when opened_at > now() - interval '24 hours' then '${AGES[0]}'
                                  when opened_at > now() - interval '3 days' then '${AGES[1]}'
                                  when opened_at > now() - interval '7 days' then '${AGES[2]}' else '${AGES[3]}' end, count(*)
                from waiting group by 2
  union all select 'total', 'unassigned', count(*) from waiting where assignee is null
  union all select 'total', 'sla_breaches', (select count(sla_breached_at) from waiting) + sum(breached) from days
  union all select 'total', 'ros_drafts', (select count(ros_reference) from waiting) + sum(drafted) from days
  union all select 'total', 'median', avg(compliance.bucket_hours(low::smallint)) from median where low = high`;

/** What is counted of the cases of a tenant, of resolved ones since the beginning of a day (UTC, such as 2026-11-28). */
export async function countedCases(database: Database, tenantId: string, firstDay: string): Promise<Counted[]> {
  while (await daysLeft(database, tenantId, firstDay));
  return database.snapshot(tenantId, (tx) => tx.query<Counted>(COUNTED, [tenantId, firstDay]));
}

/** Stores days that are over, for some time; answers whether there are more. */
function daysLeft(database: Database, tenantId: string, firstDay: string): Promise<boolean> {
  const sql = 'select compliance.count_case_days($1, $2) as "left"';
  return database.tenant(tenantId, async (tx) => {
    const [row] = await tx.query<{ left: boolean }>(sql, [tenantId, firstDay]);
    return row?.left === true;
  });
}
