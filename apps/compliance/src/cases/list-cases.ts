import {
  ApiOptional,
  ApiProblems,
  beforeId,
  CurrentTenant,
  page,
  PageQuery,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { Database } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsString, Length } from 'class-validator';
import { CASE_PRIORITIES, type CasePriority } from '../case-records/case-priority.ts';
import { openCase, type StoredCase, WRAPPED_KEY } from '../case-records/case-secrets.ts';
import { CASE_STATUSES, type CaseStatus } from '../case-records/case-states.ts';
import { CasePage, CaseView } from './case-view.ts';

export class ListCasesQuery extends PageQuery {
  @ApiOptional()
  @IsIn(CASE_STATUSES)
  status?: CaseStatus;

  @ApiOptional()
  @IsString()
  @Length(1, 128)
  assignee?: string;

  @ApiOptional({ description: 'Only cases with exactly this reference.' })
  @IsString()
  @Length(1, 200)
  subject_ref?: string;

  @ApiOptional()
  @IsIn(CASE_PRIORITIES)
  priority?: CasePriority;

  @ApiOptional({ description: 'true: not resolved and past due_at; false: all others.' })
  @IsBoolean()
  overdue?: boolean;
}

/** GET /v1/cases: newest first. */
@Controller('v1/cases')
@ApiTags('Cases')
export class ListCases {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
  ) {}

  @Get()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'listCases',
    summary: 'List cases, newest first',
    description: 'The filters may be combined.',
  })
  @ApiOkResponse({ type: CasePage })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: ListCasesQuery): Promise<CasePage> {
    const [sql, params] = casesSql(tenant.id, query);
    const keyring = await this.personal.tenant(tenant.id);
    const rows = await this.database.tenant(tenant.id, (tx) => tx.query<StoredCase>(sql, params));
    const { data, next_cursor } = page(rows, query.limit, (row) => [row.id]);
    const now = new Date();
    return { data: data.map((row) => CaseView.of(openCase(keyring, row), now)), next_cursor };
  }
}

const OVERDUE = `(status <> 'resolved' and due_at <= now())`;

function casesSql(tenantId: string, query: ListCasesQuery): [sql: string, params: unknown[]] {
  const params: unknown[] = [tenantId];
  const where = ['tenant_id = $1'];
  const add = (column: string, value: unknown) => {
    if (value !== undefined) where.push(`${column} $${params.push(value)}`);
  };
  add('status =', query.status);
  add('assignee =', query.assignee);
  add('subject_ref =', query.subject_ref);
  add('priority =', query.priority);
  add('id <', beforeId(query));
  if (query.overdue !== undefined) where.push(query.overdue ? OVERDUE : `not ${OVERDUE}`);
  if (query.status !== undefined && query.status !== 'resolved') where.push(`status <> 'resolved'`); // names the index
  const limit = `$${params.push(query.limit + 1)}`;
  return [
    `select c.*, ${WRAPPED_KEY} from compliance.review_case c where ${where.join(' and ')} order by id desc limit ${limit}`,
    params,
  ];
}
