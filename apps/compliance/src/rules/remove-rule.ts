import {
  ApiIfMatch,
  ApiProblems,
  type ConditionalHeaders,
  CurrentTenant,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Delete, Headers, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RULE_ID_EXAMPLE, VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import { lockDraft } from '../validations/validations.ts';
import { removeRule, requireUnchanged } from '../validations/stored-rules.ts';

/** DELETE /v1/validations/{id}/rules/{rule_id} */
@Controller('v1/validations')
@ApiTags('Validations')
export class RemoveRule {
  constructor(private readonly database: Database) {}

  @Delete(':id/rules/:rule_id')
  @RequireScope('compliance:rules')
  @HttpCode(204)
  @ApiOperation({ operationId: 'removeRule', summary: 'Remove a rule from a draft', description: 'Only from a draft.' })
  @ApiParam({ name: 'id', example: VALIDATION_ID_EXAMPLE })
  @ApiParam({ name: 'rule_id', example: RULE_ID_EXAMPLE })
  @ApiIfMatch('rule')
  @ApiNoContentResponse({ description: 'It is gone.' })
  @ApiProblems('validation-not-draft', 'not-found', 'state-conflict')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Param('rule_id') ruleId: string,
    @Headers() headers: ConditionalHeaders,
  ): Promise<void> {
    await this.database.tenant(tenant.id, async (tx) => {
      const draft = await lockDraft(tx, tenant.id, id);
      const address = { tenantId: tenant.id, validationUuid: draft.id, ruleId };
      await requireUnchanged(tx, address, headers['if-match']);
      await removeRule(tx, address);
    });
  }
}
