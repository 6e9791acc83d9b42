import {
  ApiIfMatch,
  ApiProblems,
  type ConditionalHeaders,
  CurrentTenant,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Body, Controller, Headers, Param, Put } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RULE_ID_EXAMPLE, VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import { lockDraft } from '../validations/validations.ts';
import { checkedRule } from './rule-problems.ts';
import { RuleBody, SavedRuleView } from './rule-view.ts';
import { replaceRule, requireUnchanged } from '../validations/stored-rules.ts';

/** PUT /v1/validations/{id}/rules/{rule_id}: the whole rule. */
@Controller('v1/validations')
@ApiTags('Validations')
export class ReplaceRule {
  constructor(private readonly database: Database) {}

  @Put(':id/rules/:rule_id')
  @RequireScope('compliance:rules')
  @ApiOperation({
    operationId: 'replaceRule',
    summary: 'Replace a rule of a draft',
    description: 'The whole rule is replaced by what is sent; its id stays. Only in a draft.',
  })
  @ApiParam({ name: 'id', example: VALIDATION_ID_EXAMPLE })
  @ApiParam({ name: 'rule_id', example: RULE_ID_EXAMPLE })
  @ApiIfMatch('rule')
  @ApiBody({ type: RuleBody })
  @ApiOkResponse({ type: SavedRuleView, description: 'The rule as it is now.' })
  @ApiProblems(
    'validation-error',
    'bad-request',
    'validation-not-draft',
    'not-found',
    'duplicate-key',
    'state-conflict',
  )
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Param('rule_id') ruleId: string,
    @Body() body: unknown,
    @Headers() headers: ConditionalHeaders,
  ): Promise<SavedRuleView> {
    return this.database.tenant(tenant.id, async (tx) => {
      const draft = await lockDraft(tx, tenant.id, id);
      const { rule, warnings } = checkedRule(body);
      const address = { tenantId: tenant.id, validationUuid: draft.id, ruleId };
      await requireUnchanged(tx, address, headers['if-match'], rule);
      const row = await replaceRule(tx, address, rule);
      return SavedRuleView.with(row, warnings);
    });
  }
}
