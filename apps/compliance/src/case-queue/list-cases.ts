import {
  ApiOptional,
  ApiProblems,
  beforeId,
  beginOf,
  CurrentTenant,
  IsInstant,
  MayBeStale,
  page,
  PageQuery,
  periodOf,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { Database } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsString, Length } from 'class-validator';
import { CASE_PRIORITIES, type CasePriority } from '../case-records/case-priority.ts';
import { openCase } from '../case-records/case-secrets.ts';
import { CASE_STATUSES, type CaseStatus } from '../case-records/case-states.ts';
import { type CaseFilter, listedCases } from './case-list.sql.ts';
import { CasePage, CaseView } from '../cases/case-view.ts';

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

  @ApiOptional({ description: 'Only cases with a hit on this list.', enumName: 'ListCode' })
  @IsIn(ALL_LIST_CODES)
  list?: ListCode;

  @ApiOptional({
    description:
      'Only cases that are not resolved, with a due_at before this date-time, or before the beginning of this day in America/Bogota.',
    example: '2026-11-28',
  })
  @IsInstant()
  due_before?: string;

  @ApiOptional({
    description: 'Only cases opened from here on: a day in America/Bogota, or a date-time.',
    example: '2026-11-01',
  })
  @IsInstant()
  from?: string;

  @ApiOptional({
    description: 'Only cases opened up to here: the end of a day in America/Bogota, or a date-time (exclusive).',
    example: '2026-11-30',
  })
  @IsInstant()
  to?: string;

  @ApiOptional({
    description:
      'The id of a case, a subject_ref, or whole words of the subject’s name: all of them, in any order, with or without accents and ' +
      'capitals. Parts of words are not found: the store holds no name that could be searched, only keyed digests of its words.',
    example: 'fictisio ejemplo',
  })
  @IsString()
  @Length(1, 200)
  q?: string;
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
  @MayBeStale()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'listCases',
    summary: 'List cases, newest first',
    description: 'The filters may be combined.',
  })
  @ApiOkResponse({ type: CasePage })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: ListCasesQuery): Promise<CasePage> {
    const list = { tenantId: tenant.id, filter: filterOf(query), limit: query.limit + 1 };
    const keyring = await this.personal.tenant(tenant.id);
    const rows = await this.database.snapshot(tenant.id, (tx) => listedCases(tx, keyring, list));
    const { data, next_cursor } = page(rows, query.limit, (row) => [row.id]);
    const now = new Date();
    return { data: data.map((row) => CaseView.of(openCase(keyring, row), now)), next_cursor };
  }
}

function filterOf(query: ListCasesQuery): CaseFilter {
  const { status, assignee, subject_ref, priority, overdue, list, due_before, q } = query;
  return {
    ...{ status, assignee, subjectRef: subject_ref, priority, overdue, list, q: q?.trim() },
    dueBefore: beginOf(due_before, 'bogota'),
    opened: periodOf(query, '/query/to'),
    beforeId: beforeId(query),
  };
}
