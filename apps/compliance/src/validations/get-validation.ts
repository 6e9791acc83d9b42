import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import { ValidationView } from './validation-view.ts';
import { Validations } from './validations.ts';

/** GET /v1/validations/{id} */
@Controller('v1/validations')
@ApiTags('Validations')
export class GetValidation {
  constructor(private readonly validations: Validations) {}

  @Get(':id')
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'getValidation',
    summary: 'Show a validation',
    description: 'One version. Its rules are listed by GET /v1/validations/{id}/rules.',
  })
  @ApiParam({ name: 'id', example: VALIDATION_ID_EXAMPLE })
  @ApiOkResponse({ type: ValidationView, description: 'The validation.' })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<ValidationView> {
    return ValidationView.of(await this.validations.find(tenant.id, id));
  }
}
