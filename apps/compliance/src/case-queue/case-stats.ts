import { shape } from '@constancia/contracts';
import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { ALL_LIST_CODES } from '@constancia/reference-data';
import { Database } from '@constancia/persistence';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { CASE_STATUSES } from '../case-records/case-states.ts';
import { AGES, ASSIGNEES, type Counted, countedCases, NAMES, SEVERITIES } from './case-stats.sql.ts';

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
    description: 'Of the cases resolved since `resolved_since`, to within 1 %; null while there is none.',
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
    description: `Cases that were resolved before are not counted: the beginning of the day (UTC) ${RESOLVED_DAYS} days ago.`,
  })
  resolved_since: string;
}

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
      `Of all cases of the tenant, no matter who they are assigned to; resolved ones for ${RESOLVED_DAYS} days, in \`by_status\`, ` +
      '`median_hours_to_resolve`, `sla_breaches` and `ros_drafts`. Reports count those of any period.',
  })
  @ApiOkResponse({ type: CaseStatsView })
  @ApiProblems()
  async handle(@CurrentTenant() tenant: Tenant): Promise<CaseStatsView> {
    const firstDay = new Date(Date.now() - RESOLVED_DAYS * DAY_MS).toISOString().slice(0, 10);
    return viewOf(await countedCases(this.database, tenant.id, firstDay), firstDay);
  }
}

/** Listed in full: what has no case is 0. */
function viewOf(rows: readonly Counted[], firstDay: string): CaseStatsView {
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
    resolved_since: new Date(firstDay).toISOString(),
  };
}

type Totals = Pick<CaseStatsView, 'unassigned' | 'sla_breaches' | 'ros_drafts'> & { median: number | null };

const round = (hours: number): number => Math.round(hours * 100) / 100;
