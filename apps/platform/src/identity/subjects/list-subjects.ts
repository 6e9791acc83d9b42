import {
  ApiOptional,
  ApiProblems,
  beforeId,
  CurrentTenant,
  MayBeStale,
  page,
  PageQuery,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { DOCUMENT_TYPES, type DocumentType } from '@constancia/reference-data';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';
import { KYC_STATUSES, type KycStatus } from './subject.ts';
import { SubjectRecords } from './subject-records.ts';
import { SubjectPage } from './subject-view.ts';

/** No document number here: addresses are written into logs on their way. */
export class SubjectQuery extends PageQuery {
  @ApiOptional()
  @IsString()
  @Length(1, 200)
  external_ref?: string;

  @ApiOptional({ enumName: 'KycStatus' })
  @IsIn(KYC_STATUSES)
  kyc_status?: KycStatus;

  @ApiOptional({ enumName: 'DocumentType' })
  @IsIn(DOCUMENT_TYPES)
  document_type?: DocumentType;
}

/** GET /v1/kyc/subjects: newest first. */
@Controller('v1/kyc/subjects')
@ApiTags('Subjects')
export class ListSubjects {
  constructor(private readonly records: SubjectRecords) {}

  @Get()
  @MayBeStale()
  @RequireScope('identity:read')
  @ApiOperation({
    operationId: 'listSubjects',
    summary: 'List subjects, newest first',
    description: '`external_ref` narrows it to the subject that you gave it.',
  })
  @ApiOkResponse({ type: SubjectPage })
  @ApiProblems('validation-error', 'dependency-unavailable')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: SubjectQuery): Promise<SubjectPage> {
    const { limit, external_ref, kyc_status, document_type } = query;
    const filter = { externalRef: external_ref, kycStatus: kyc_status, documentType: document_type };
    const rows = await this.records.list(tenant.id, { ...filter, before: beforeId(query), limit: limit + 1 });
    const { data, next_cursor } = page(rows, limit, ({ id }) => [id]);
    return { data: await this.records.views(data), next_cursor };
  }
}
