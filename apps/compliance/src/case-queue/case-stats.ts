import { shape } from '@constancia/contracts';
import { ApiProblems, CurrentTenant, MayBeStale, type Tenant, RequireScope } from '@constancia/http';
import { ALL_LIST_CODES } from '@constancia/reference-data';
import { Database } from '@constancia/persistence';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { CASE_STATUSES } from '../case-records/case-states.ts';

const AGES = ['0-24h', '1-3d', '3-7d', 'older'] as const;
const SEVERITIES = ['review', 'reject'] as const;
/** Assignees that are listed one by one, those with the most cases first. */
const ASSIGNEES = 100;
/** Resolved cases count for so long: all that were ever resolved are too many to count at each request. */
const RESOLVED_DAYS = 90;
const DAY_MS = 86_400_000;

const counts = (description: string, names?: readonly string[]) => ({
  type: 'object' as const,
  description,
  additionalProperties: shape.count(),
  ...(names && { example: Object.fromEntries(names.map((name) => [name, 0])) }),
});

export class CaseStatsView {
  @ApiProperty(counts('Cases in each state; `resolved` counts those since `resolved_since`.', CASE_STATUSES))
  by_status: Record<string, number>;

  @ApiProperty(counts('Unresolved cases by the worst decision of their screenings.', SEVERITIES))
  by_severity: Record<string, number>;

  @ApiProperty(counts('Unresolved cases with a hit on each list.', ALL_LIST_CODES))
  by_list: Record<string, number>;

  @ApiProperty(counts(`Unresolved cases of each assignee, at most ${ASSIGNEES} of them.`))
  by_assignee: Record<string, number>;

  @ApiProperty({ ...shape.count(), description: 'Unresolved cases that nobody has.' })
  unassigned: number;

  @ApiProperty(counts('Unresolved cases by the time since they were opened.', AGES))
  by_age: Record<string, number>;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'Of the cases resolved since `resolved_since`; null while there is none.',
  })
  median_hours_to_resolve: number | null;

  @ApiProperty({
    ...shape.count(),
    description: 'Cases that were not resolved in time: unresolved ones, and those resolved since `resolved_since`.',
  })
  sla_breaches: number;

  @ApiProperty({
    ...shape.count(),
    description:
      'Cases with a ROS draft: unresolved ones, and those resolved since `resolved_since`. Reports of a period count those of the ' +
      'period: with none, report the absence (AROS).',
  })
  ros_drafts: number;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    description: `Cases that were resolved before are not counted: ${RESOLVED_DAYS} days ago.`,
  })
  resolved_since: string;
}

interface Counted {
  kind: keyof typeof NAMES | 'total';
  name: string;
  value: number;
}

const NAMES = {
  by_status: CASE_STATUSES,
  by_severity: SEVERITIES,
  by_list: ALL_LIST_CODES,
  by_assignee: [],
  by_age: AGES,
} as const satisfies Record<string, readonly string[]>;

const FACTS = 'opened_at, sla_breached_at is not null as breached, ros_reference is not null as drafted';

/**
 * Cases that wait are read once; those that were resolved lately, from an index alone (migration 1764000007510). Those resolved before
 * are not read: they are nearly all that there ever were.
 */
export const COUNTED = `
  with waiting as materialized (
    select status, screening_decision, list_hits, assignee, ${FACTS}
      from compliance.review_case where tenant_id = $1 and status <> 'resolved' and erasure_id is null
  ), resolved as materialized (
    select resolved_at, ${FACTS} from compliance.review_case
     where tenant_id = $1 and status = 'resolved' and resolved_at >= $2::timestamptz and erasure_id is null
  ), facts as (
    select breached, drafted from waiting union all select breached, drafted from resolved
  )
  select 'by_status' as kind, status as name, count(*)::float8 as value from waiting group by status
  union all select 'by_status', 'resolved', count(*) from resolved
  union all select 'by_severity', screening_decision, count(*) from waiting group by screening_decision
  union all select 'by_list', list, count(*) from waiting, unnest(list_hits) list group by list
  union all (select 'by_assignee', assignee, count(*) from waiting where assignee is not null
              group by assignee order by 3 desc, 2 limit ${ASSIGNEES})
  union all select 'by_age', case when opened_at > now() - interval '24 hours' then '${AGES[0]}'
                                  when opened_at > now() - interval '3 days' then '${AGES[1]}'
                                  when opened_at > now() - interval '7 days' then '${AGES[2]}' else '${AGES[3]}' end, count(*)
                from waiting group by 2
  union all select 'total', 'unassigned', count(*) from waiting where assignee is null
  union all select 'total', 'sla_breaches', count(*) from facts where breached
  union all select 'total', 'ros_drafts', count(*) from facts where drafted
  union all select 'total', 'median', percentile_cont(0.5) within group (order by extract(epoch from resolved_at - opened_at) / 3600)
                from resolved`;

/** GET /v1/cases/stats */
@Controller('v1/cases')
@ApiTags('Cases')
export class CaseStats {
  constructor(private readonly database: Database) {}

  @Get('stats')
  @MayBeStale()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'caseStats',
    summary: 'Count cases by state, severity, list, assignee and age',
    description:
      `Of all cases of the tenant, no matter who they are assigned to; resolved ones for ${RESOLVED_DAYS} days, in \`by_status\`, ` +
      '`median_hours_to_resolve`, `sla_breaches` and `ros_drafts`. Reports count those of any period.',
  })
  @ApiOkResponse({ type: CaseStatsView })
  @ApiProblems()
  handle(@CurrentTenant() tenant: Tenant): Promise<CaseStatsView> {
    const since = new Date(Date.now() - RESOLVED_DAYS * DAY_MS);
    return this.database.snapshot(tenant.id, async (tx) =>
      viewOf(await tx.query<Counted>(COUNTED, [tenant.id, since]), since),
    );
  }
}

/** Listed in full: what has no case is 0. */
function viewOf(rows: readonly Counted[], since: Date): CaseStatsView {
  const counted = (kind: Counted['kind'], names: readonly string[]): Record<string, number> =>
    Object.fromEntries([
      ...names.map((name): [string, number] => [name, 0]),
      ...rows.filter((row) => row.kind === kind).map(({ name, value }): [string, number] => [name, value]),
    ]);
  const total = counted('total', ['unassigned', 'sla_breaches', 'ros_drafts']) as Totals;
  return {
    by_status: counted('by_status', NAMES.by_status),
    by_severity: counted('by_severity', NAMES.by_severity),
    by_list: counted('by_list', NAMES.by_list),
    by_assignee: counted('by_assignee', NAMES.by_assignee),
    unassigned: total.unassigned,
    by_age: counted('by_age', NAMES.by_age),
    median_hours_to_resolve: total.median === null ? null : round(total.median),
    sla_breaches: total.sla_breaches,
    ros_drafts: total.ros_drafts,
    resolved_since: since.toISOString(),
  };
}

type Totals = Pick<CaseStatsView, 'unassigned' | 'sla_breaches' | 'ros_drafts'> & { median: number | null };

const round = (hours: number): number => Math.round(hours * 100) / 100;
