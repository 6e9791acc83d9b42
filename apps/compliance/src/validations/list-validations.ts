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
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsString, Length } from 'class-validator';
import { VALIDATION_STATUSES, type ValidationStatus } from './validation.entity.ts';
import { ValidationPage, ValidationView } from './validation-view.ts';
import { Validations } from './validations.ts';

export class ListValidationsQuery extends PageQuery {
  @ApiOptional({ enumName: 'ValidationStatus' })
  @IsIn(VALIDATION_STATUSES)
  status?: ValidationStatus;

  @ApiOptional({ description: 'Only versions of this code.' })
  @IsString()
  @Length(1, 64)
  code?: string;

  @ApiOptional({
    description: 'Only drafts that one person has published, and that wait for a second one; or all others.',
  })
  @IsBoolean()
  awaits_second_person?: boolean;
}

/** GET /v1/validations: newest first. */
@Controller('v1/validations')
@ApiTags('Validations')
export class ListValidations {
  constructor(private readonly validations: Validations) {}

  @Get()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'listValidations',
    summary: 'List validations, newest first',
    description: 'Every version; `code` and `status` narrow it.',
  })
  @ApiOkResponse({ type: ValidationPage, description: 'A page of validations.' })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: ListValidationsQuery): Promise<ValidationPage> {
    const { status, code, awaits_second_person: awaitsSecondPerson, limit } = query;
    const filter = { status, code, awaitsSecondPerson, beforeId: beforeId(query), limit: limit + 1 };
    const rows = await this.validations.list(tenant.id, filter);
    const { data, next_cursor } = page(rows, limit, (row) => [row.id]);
    return { data: data.map((row) => ValidationView.of(row)), next_cursor };
  }
}
