import {
  ApiOptional,
  ApiProblems,
  beforeId,
  CurrentTenant,
  MayBeStale,
  OrderedPageQuery,
  page,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { Database } from '@constancia/persistence';
import { PersonalData } from '@constancia/personal-data';
import { SUBJECT_TYPES, type SubjectType } from '@constancia/rule-graph';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';
import { listedSubjects, type SubjectFilter } from './listed-subjects.sql.ts';
import { MonitoredSubjectPage, MonitoredSubjectView } from './monitored-subject-view.ts';

export class ListMonitoredSubjectsQuery extends OrderedPageQuery {
  @ApiOptional({ description: 'Only subjects with exactly this reference.' })
  @IsString()
  @Length(1, 200)
  subject_ref?: string;

  @ApiOptional({ enumName: 'SubjectType' })
  @IsIn(SUBJECT_TYPES)
  subject_type?: SubjectType;

  @ApiOptional({ description: 'Only subjects that are screened again by this code.' })
  @IsString()
  @Length(1, 64)
  validation_code?: string;
}

/** GET /v1/monitored-subjects: who is screened again when a list changes. */
@Controller('v1/monitored-subjects')
@ApiTags('Screenings')
export class ListMonitoredSubjects {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
  ) {}

  @Get()
  @MayBeStale()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'listMonitoredSubjects',
    summary: 'List the subjects that are screened again when a list changes',
    description:
      'Everybody who was screened and not erased, once for each validation code: the last screened first, or with `order=asc` last. Who is ' +
      'screened while you read moves to that end. Whether monitoring is on is a setting of the tenant: `monitoring` of ' +
      'GET /v1/compliance-settings.',
  })
  @ApiOkResponse({ type: MonitoredSubjectPage, description: 'A page of subjects.' })
  @ApiProblems('validation-error')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Query() query: ListMonitoredSubjectsQuery,
  ): Promise<MonitoredSubjectPage> {
    const { subject_ref, subject_type, validation_code, order, limit } = query;
    const filter: SubjectFilter = {
      ...{ subjectRef: subject_ref, subjectType: subject_type, validationCode: validation_code, order },
      after: beforeId(query),
    };
    const list = { tenantId: tenant.id, filter, limit: limit + 1 };
    const keyring = await this.personal.tenant(tenant.id);
    const rows = await this.database.snapshot(tenant.id, (tx) => listedSubjects(tx, keyring, list));
    const { data, next_cursor } = page(rows, limit, (row) => [row.screening_id]);
    return { data: data.map((row) => MonitoredSubjectView.of(row)), next_cursor };
  }
}
