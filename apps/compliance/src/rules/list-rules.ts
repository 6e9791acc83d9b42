import { ApiProblems, CurrentTenant, cursorKeys, page, PageQuery, type Tenant, RequireScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { ValidationError } from '@constancia/problem-json';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import { findValidation } from '../validations/validations.ts';
import { RulePage, RuleView } from './rule-view.ts';
import { ruleSlice } from '../validations/stored-rules.ts';

/** GET /v1/validations/{id}/rules: in the order of evaluation. */
@Controller('v1/validations')
@ApiTags('Validations')
export class ListRules {
  constructor(private readonly database: Database) {}

  @Get(':id/rules')
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'listRules',
    summary: 'List the rules of a validation, in the order of evaluation',
    description: 'By position, then by code: so they are evaluated, and so findings are listed.',
  })
  @ApiParam({ name: 'id', example: VALIDATION_ID_EXAMPLE })
  @ApiOkResponse({ type: RulePage, description: 'A page of rules.' })
  @ApiProblems('validation-error', 'not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string, @Query() query: PageQuery): Promise<RulePage> {
    const slice = { after: afterRule(query), limit: query.limit + 1 };
    const rows = await this.database.tenant(tenant.id, async (tx) => {
      const validation = await findValidation(tx, tenant.id, id);
      return ruleSlice(tx, tenant.id, validation.id, slice);
    });
    const { data, next_cursor } = page(rows, query.limit, (row) => [row.position, row.code]);
    return { data: data.map((row) => RuleView.of(row)), next_cursor };
  }
}

function afterRule(query: PageQuery): [position: number, code: string] | undefined {
  const keys = cursorKeys(query, 2);
  if (keys === undefined) return undefined;
  const [position, code] = keys;
  if (Number.isInteger(position) && typeof code === 'string') return [position as number, code];
  throw new ValidationError([
    { pointer: '/query/cursor', code: 'wrong_format', detail: 'Give next_cursor of an earlier page as it is.' },
  ]);
}
