import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Body, Controller, Param, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import { ChangeValidationBody } from './validation-body.ts';
import { ValidationView } from './validation-view.ts';
import { findValidation, lockDraft, NEW_REVISION } from './validations.ts';

/** PATCH /v1/validations/{id}: the words of a draft. */
@Controller('v1/validations')
@ApiTags('Validations')
export class ChangeValidation {
  constructor(private readonly database: Database) {}

  @Patch(':id')
  @RequireScope('compliance:rules')
  @ApiOperation({
    operationId: 'changeValidation',
    summary: 'Change the name or description of a draft',
    description:
      'What is left out stays. A published validation is changed by cloning it, changing the draft and publishing.',
  })
  @ApiParam({ name: 'id', example: VALIDATION_ID_EXAMPLE })
  @ApiOkResponse({ type: ValidationView, description: 'The draft as it is now.' })
  @ApiProblems('validation-error', 'bad-request', 'validation-not-draft', 'not-found')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Body() body: ChangeValidationBody,
  ): Promise<ValidationView> {
    return this.database.tenant(tenant.id, async (tx) => {
      const draft = await lockDraft(tx, tenant.id, id);
      await tx.query(
        `update compliance.validation set name = $3, description = $4, ${NEW_REVISION} where tenant_id = $1 and id = $2`,
        [tenant.id, draft.id, body.name ?? draft.name, (body.description ?? draft.description) || null],
      );
      return ValidationView.of(await findValidation(tx, tenant.id, id));
    });
  }
}
