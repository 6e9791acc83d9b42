import { ApiProblems, CurrentTenant, periodOf, RequireScope, type Tenant } from '@constancia/http';
import { uuidFloor } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { compileValidation } from '@constancia/rule-graph';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { VALIDATION_ID_EXAMPLE } from '../example-ids.ts';
import { columnsOf, rulesOf } from '../validations/stored-rules.ts';
import { Backtest } from './backtest.ts';
import { BACKTEST_LIMITS, BacktestBody, BacktestView } from './backtest-view.ts';
import { findValidation } from '../validations/validations.ts';

/** POST /v1/validations/{id}/backtest: what would these rules have decided? */
@Controller('v1/validations')
@ApiTags('Validations')
export class BacktestValidation {
  constructor(
    private readonly database: Database,
    private readonly backtest: Backtest,
  ) {}

  @Post(':id/backtest')
  @RequireScope('compliance:rules')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'backtestValidation',
    summary: 'Try a validation on past screenings',
    description:
      'Evaluates stored screenings again by these rules, with the payloads and the hits of their time. Nothing is changed or ' +
      'charged. One at a time.',
  })
  @ApiParam({ name: 'id', example: VALIDATION_ID_EXAMPLE })
  @ApiOkResponse({ type: BacktestView, description: 'Decisions before and after, and what fired.' })
  @ApiProblems('validation-error', 'bad-request', 'not-found', 'conflict')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Body() body: BacktestBody,
  ): Promise<BacktestView> {
    const { validation, rules } = await this.database.tenant(tenant.id, async (tx) => {
      const validation = await findValidation(tx, tenant.id, id);
      return { validation, rules: (await rulesOf(tx, tenant.id, validation.id)).map(columnsOf) };
    });
    const tried = { compiled: compileValidation(rules), ruleCodes: rules.map(({ code }) => code) };
    const { from, to } = periodOf(body, '/to');
    return this.backtest.run(tenant.id, tried, {
      code: body.validation_code ?? validation.code,
      from: from ? uuidFloor(from) : null,
      to: to ? uuidFloor(to) : null,
      max: body.max ?? BACKTEST_LIMITS.usual,
    });
  }
}
