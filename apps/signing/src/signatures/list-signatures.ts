import { shape } from '@constancia/contracts';
import {
  ApiOptional,
  ApiProblems,
  beforeId,
  CurrentTenant,
  ExternalRef,
  MayBeStale,
  page,
  PageQuery,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, Length } from 'class-validator';
import { SIGNATURE_STATUSES, type SignatureRequest, type SignatureStatus } from './signature-request.entity.ts';
import { SignaturePage, SignatureView } from './signature-view.ts';
import { Signatures } from './signatures.ts';

export class ListSignaturesQuery extends PageQuery {
  @ApiOptional()
  @IsIn(SIGNATURE_STATUSES)
  status?: SignatureStatus;

  @ApiOptional({ ...shape.id('tpl'), description: 'Only requests on this template.' })
  @IsString()
  template_id?: string;

  @ApiOptional({ description: 'Only requests with exactly this reference.' })
  @IsString()
  @Length(1, 200)
  subject_ref?: string;

  @ExternalRef('Only requests with this `external_ref`.')
  external_ref?: string;
}

/** GET /v1/signatures: newest first. */
@Controller('v1/signatures')
@ApiTags('Signatures')
export class ListSignatures {
  constructor(private readonly signatures: Signatures) {}

  @Get()
  @MayBeStale()
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'listSignatures',
    summary: 'List signature requests, newest first',
    description: '`status`, `template_id`, `subject_ref` and `external_ref` narrow it.',
  })
  @ApiOkResponse({ type: SignaturePage, description: 'A page of requests.' })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: ListSignaturesQuery): Promise<SignaturePage> {
    const rows = await this.find(tenant, query);
    const { data, next_cursor } = page(rows, query.limit, (row) => [row.id]);
    return { data: data.map((row) => SignatureView.of(row)), next_cursor };
  }

  private async find(tenant: Tenant, query: ListSignaturesQuery): Promise<SignatureRequest[]> {
    const templateUuid = query.template_id === undefined ? undefined : uuidOf('tpl', query.template_id);
    if (templateUuid === null) return []; // no template has such an id
    return this.signatures.list(tenant.id, {
      status: query.status,
      templateUuid,
      subjectRef: query.subject_ref,
      externalRef: query.external_ref,
      beforeId: beforeId(query),
      limit: query.limit + 1,
    });
  }
}
