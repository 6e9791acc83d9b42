import { shape } from '@constancia/contracts';
import {
  ApiProblems,
  CurrentTenant,
  FILE_NAME_HEADER,
  preferredType,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { Controller, Get, Header, Headers, Param, type StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiParam, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { csvFile } from '../csv.ts';
import { statementCsv } from './statement-csv.ts';
import { MONTH, statementMonth } from './statement-month.ts';
import { StatementView } from './statement-view.ts';
import { Statements } from './statements.ts';

/** GET /v1/billing/statements/{month} */
@Controller('v1/billing/statements')
@ApiTags('Billing')
@ApiExtraModels(StatementView)
export class ShowStatement {
  constructor(private readonly statements: Statements) {}

  @Get(':month')
  @RequireScope('billing:read')
  @Header('Vary', 'Accept')
  @ApiOperation({
    operationId: 'showStatement',
    summary: 'Show the statement of a month',
    description:
      'What a month began with, what was added and used, by module and operation, and what it ended with: as JSON, or with ' +
      '`Accept: text/csv` as CSV, whose lines from the opening balance on add up to the closing balance. The month is one in ' +
      'America/Bogota. While it is not over, the statement is `provisional`.',
  })
  @ApiParam({
    name: 'month',
    description: 'YYYY-MM.',
    example: '2026-11',
    schema: { type: 'string', pattern: MONTH.source, maxLength: 7 },
  })
  @ApiOkResponse({
    description: 'The statement.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(StatementView) } },
      'text/csv': { schema: { type: 'string', ...shape.text(65_536) } },
    },
    headers: { 'Content-Disposition': FILE_NAME_HEADER },
  })
  @ApiProblems('validation-error', 'not-found')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('month') named: string,
    @Headers('accept') accept: string | undefined,
  ): Promise<StatementView | StreamableFile> {
    const month = statementMonth(named);
    const statement = await this.statements.of(tenant.id, month);
    if (preferredType(accept, ['application/json', 'text/csv']) === 'application/json') return statement;
    return csvFile(statementCsv(statement), `statement-${month.month}`);
  }
}
