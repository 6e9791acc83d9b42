import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import { addRules, columnsOf, rulesOf } from './stored-rules.ts';
import { ValidationView } from './validation-view.ts';
import { addDraft, findValidation, lockCode } from './validations.ts';

/** POST /v1/validations/{id}/clone: a draft with the same rules, the next version of the code. */
@Controller('v1/validations')
@ApiTags('Validations')
export class CloneValidation {
  constructor(private readonly database: Database) {}

  @Post(':id/clone')
  @RequireScope('compliance:rules')
  @HttpCode(201)
  @ApiOperation({
    operationId: 'cloneValidation',
    summary: 'Clone a validation into a draft',
    description: 'Whatever its status. The draft has the same rules and the highest version of the code, and one more.',
  })
  @ApiParam({ name: 'id', example: VALIDATION_ID_EXAMPLE })
  @ApiCreatedResponse({ type: ValidationView, description: 'The draft.' })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<ValidationView> {
    return this.database.tenant(tenant.id, async (tx) => {
      const { code } = await findValidation(tx, tenant.id, id);
      await lockCode(tx, tenant.id, code);
      const source = await findValidation(tx, tenant.id, id);
      const draft = await addDraft(tx, tenant.id, source);
      const rules = (await rulesOf(tx, tenant.id, source.id)).map(columnsOf);
      if (rules.length > 0) await addRules(tx, tenant.id, draft.id, rules);
      return ValidationView.of(await findValidation(tx, tenant.id, typeId('val', draft.id)));
    });
  }
}
