import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { lintRules } from '@constancia/rule-graph';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import { LintView } from './lint-view.ts';
import { columnsOf, rulesOf } from './stored-rules.ts';
import { findValidation } from './validations.ts';

/** POST /v1/validations/{id}/lint */
@Controller('v1/validations')
@ApiTags('Validations')
export class LintValidation {
  constructor(private readonly database: Database) {}

  @Post(':id/lint')
  @RequireScope('compliance:rules')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'lintValidation',
    summary: 'Look for mistakes in the rules of a validation',
    description:
      'Errors forbid publishing, warnings do not. Pointers count the rules in the order of evaluation: `/0/definition/…`.',
  })
  @ApiParam({ name: 'id', example: VALIDATION_ID_EXAMPLE })
  @ApiOkResponse({ type: LintView, description: 'Everything that was found, at once, up to a thousand of each.' })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<LintView> {
    const rules = await this.database.tenant(tenant.id, async (tx) => {
      const validation = await findValidation(tx, tenant.id, id);
      return rulesOf(tx, tenant.id, validation.id);
    });
    return LintView.of(
      lintRules(rules.map(columnsOf)),
      rules.map(({ code }) => code),
    );
  }
}
