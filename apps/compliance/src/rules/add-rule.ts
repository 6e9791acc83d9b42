import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { ValidationError } from '@constancia/problem-json';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import type { RuleRow } from '../validations/rule.entity.ts';
import { addRules, MOST_RULES } from '../validations/stored-rules.ts';
import { lockDraft } from '../validations/validations.ts';
import { checkedRule } from './rule-problems.ts';
import { RuleBody, SavedRuleView } from './rule-view.ts';

/** POST /v1/validations/{id}/rules: a rule more in a draft. */
@Controller('v1/validations')
@ApiTags('Validations')
export class AddRule {
  constructor(private readonly database: Database) {}

  @Post(':id/rules')
  @RequireScope('compliance:rules')
  @HttpCode(201)
  @ApiOperation({
    operationId: 'addRule',
    summary: 'Add a rule to a draft',
    description:
      'Everything that is wrong with the rule and its graph is answered at once, with pointers into the body.',
  })
  @ApiParam({ name: 'id', example: VALIDATION_ID_EXAMPLE })
  @ApiBody({ type: RuleBody })
  @ApiCreatedResponse({ type: SavedRuleView, description: 'The rule.' })
  @ApiProblems('validation-error', 'bad-request', 'validation-not-draft', 'not-found', 'duplicate-key')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<SavedRuleView> {
    return this.database.tenant(tenant.id, async (tx) => {
      const draft = await lockDraft(tx, tenant.id, id);
      const { rule, warnings } = checkedRule(body);
      if (draft.rules >= MOST_RULES) throw new ValidationError([TOO_MANY]);
      const [row] = await addRules(tx, tenant.id, draft.id, [rule]);
      return SavedRuleView.with(row as RuleRow, warnings);
    });
  }
}

const TOO_MANY = {
  pointer: '',
  code: 'too_many',
  detail: `A validation holds at most ${MOST_RULES} rules: remove one, or put several graphs into one rule.`,
};
