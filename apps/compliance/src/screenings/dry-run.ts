import { shape } from '@constancia/contracts';
import { ApiProblems, CurrentTenant, FieldErrorView, type Tenant, RequireScope } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiPropertyOptional, ApiTags } from '@nestjs/swagger';
import { VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import { DEFAULT_CODE } from '../validations/validation-body.ts';
import { VALIDATION_STATUSES, type ValidationStatus } from '../validations/validation.entity.ts';
import { checkedPayload } from './checked-payload.ts';
import { MOST_WARNINGS, payloadWarnings } from './payload-warnings.ts';
import { Screen, type DryRunResult } from './screen.ts';
import { DryRunBody } from './screening-body.ts';
import { OutcomeView } from './screening-view.ts';

/** What a screening would find. */
export class DryRunView extends OutcomeView {
  @ApiProperty({ ...shape.id('val'), example: VALIDATION_ID_EXAMPLE })
  validation_id: string;

  @ApiProperty({ ...shape.code, example: 'default' })
  validation_code: string;

  @ApiProperty({ ...shape.ordinal, example: 1 })
  validation_version: number;

  @ApiProperty({ enum: VALIDATION_STATUSES, enumName: 'ValidationStatus', example: 'published' })
  validation_status: ValidationStatus;

  @ApiPropertyOptional({
    type: () => [FieldErrorView],
    maxItems: MOST_WARNINGS,
    description:
      'What cannot be right but is screened all the same, such as a NIT with another check digit. Left out when there is nothing.',
  })
  warnings?: FieldErrorView[];

  static of({ validation, assessment }: DryRunResult): DryRunView {
    const warnings = payloadWarnings(assessment.facts.payload);
    return {
      ...assessment.outcome,
      validation_id: typeId('val', validation.id),
      validation_code: validation.code,
      validation_version: validation.version,
      validation_status: validation.status,
      ...(warnings.length > 0 && { warnings }),
    };
  }
}

/** POST /v1/screenings/dry-run: the same result without a trace. */
@Controller('v1/screenings')
@ApiTags('Screenings')
export class DryRun {
  constructor(private readonly screen: Screen) {}

  @Post('dry-run')
  @RequireScope('compliance:screen')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'dryRunScreening',
    summary: 'Try a screening',
    description:
      'Finds what a screening would, with a validation of any status. Nothing is kept, charged or announced, and no case is opened.',
  })
  @ApiOkResponse({ type: DryRunView, description: 'What a screening would find.' })
  @ApiProblems('validation-error', 'bad-request', 'not-found', 'dependency-unavailable')
  async handle(@CurrentTenant() tenant: Tenant, @Body() body: DryRunBody): Promise<DryRunView> {
    const request = {
      validationCode: body.validation_code ?? DEFAULT_CODE,
      subjectRef: body.subject_ref,
      subjectType: body.subject_type,
      payload: checkedPayload(body.payload),
    };
    return DryRunView.of(await this.screen.dryRun(tenant.id, request, body.validation_id));
  }
}
