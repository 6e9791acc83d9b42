import { shape } from '@constancia/contracts';
import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { ALL_LIST_CODES } from '@constancia/reference-data';
import { Database } from '@constancia/persistence';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { CASE_STATUSES } from '../case-records/case-states.ts';

const AGES = ['0-24h', '1-3d', '3-7d', 'older'] as const;
const SEVERITIES = ['review', 'reject'] as const;
/** Assignees that are listed one by one, those with the most cases first. */
const ASSIGNEES = 100;

const counts = (description: string, names?: readonly string[]) => ({
  type: 'object' as const,
  description,
  additionalProperties: shape.count(),
  ...(names && { example: Object.fromEntries(names.map((name) => [name, 0])) }),
});

export class CaseStatsView {
  @ApiProperty(counts('Cases in each state.', CASE_STATUSES))
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

  @ApiProperty({ type: 'number', nullable: true, description: 'Of all resolved cases; null while there is none.' })
  median_hours_to_resolve: number | null;

  @ApiProperty({ ...shape.count(), description: 'Cases that were not resolved in time, ever.' })
  sla_breaches: number;

  @ApiProperty({
    ...shape.count(),
    description: 'Cases with a ROS draft. None in a period: report the absence (AROS).',
  })
  ros_drafts: number;
}

interface Counted {
  name: string;
  count: number;
}

const OPEN = `from compliance.review_case where tenant_id = $1 and status <> 'resolved'`;

/** Counted by the store, listed in full: what has no case is 0. */
const QUERIES = {
  by_status: `select status as name, count(*) as count from compliance.review_case where tenant_id = $1 group by 1`,
  by_severity: `select screening_decision as name, count(*) as count ${OPEN} group by 1`,
  by_list: `select list as name, count(*) as count from (select unnest(list_hits) as list ${OPEN}) hits group by 1`,
  by_assignee: `select assignee as name, count(*) as count ${OPEN} and assignee is not null
    group by 1 order by 2 desc, 1 limit ${ASSIGNEES}`,
  by_age: `select case when opened_at > now() - interval '24 hours' then '${AGES[0]}'
                       when opened_at > now() - interval '3 days' then '${AGES[1]}'
                       when opened_at > now() - interval '7 days' then '${AGES[2]}' else '${AGES[3]}' end as name,
      count(*) as count ${OPEN} group by 1`,
} as const;

const TOTALS = `
  select percentile_cont(0.5) within group (order by extract(epoch from resolved_at - opened_at) / 3600)
           filter (where status = 'resolved') as median_hours_to_resolve,
         count(*) filter (where sla_breached_at is not null) as sla_breaches,
         count(*) filter (where ros_reference is not null) as ros_drafts,
         count(*) filter (where status <> 'resolved' and assignee is null) as unassigned
    from compliance.review_case where tenant_id = $1`;

/** GET /v1/cases/stats */
@Controller('v1/cases')
@ApiTags('Cases')
export class CaseStats {
  constructor(private readonly database: Database) {}

  @Get('stats')
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'caseStats',
    summary: 'Count cases by state, severity, list, assignee and age',
    description:
      'Of all cases of the tenant, no matter who they are assigned to; resolved ones count in `by_status` and in the median.',
  })
  @ApiOkResponse({ type: CaseStatsView })
  @ApiProblems()
  handle(@CurrentTenant() tenant: Tenant): Promise<CaseStatsView> {
    return this.database.snapshot(tenant.id, async (tx) => {
      const counted = async (sql: string, names: readonly string[]): Promise<Record<string, number>> => {
        const rows = await tx.query<Counted>(sql, [tenant.id]);
        const zeros = names.map((name): [string, number] => [name, 0]);
        return Object.fromEntries([...zeros, ...rows.map(({ name, count }): [string, number] => [name, count])]);
      };
      const [totals] = await tx.query<Totals>(TOTALS, [tenant.id]);
      const { median_hours_to_resolve, sla_breaches, ros_drafts, unassigned } = totals as Totals;
      return {
        by_status: await counted(QUERIES.by_status, CASE_STATUSES),
        by_severity: await counted(QUERIES.by_severity, SEVERITIES),
        by_list: await counted(QUERIES.by_list, ALL_LIST_CODES),
        by_assignee: await counted(QUERIES.by_assignee, []),
        unassigned,
        by_age: await counted(QUERIES.by_age, AGES),
        median_hours_to_resolve: median_hours_to_resolve === null ? null : round(median_hours_to_resolve),
        sla_breaches,
        ros_drafts,
      };
    });
  }
}

type Totals = Pick<CaseStatsView, 'median_hours_to_resolve' | 'sla_breaches' | 'ros_drafts' | 'unassigned'>;

const round = (hours: number): number => Math.round(hours * 100) / 100;
