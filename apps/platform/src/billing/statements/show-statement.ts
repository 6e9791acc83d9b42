import { createHash } from 'node:crypto';
import { shape } from '@constancia/contracts';
import {
  ApiOptional,
  ApiProblems,
  CurrentTenant,
  FILE_NAME_HEADER,
  preferredType,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { Controller, Get, Header, Headers, Param, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiParam, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { FastifyReply } from 'fastify';
import type { Locale } from '../../locale.ts';
import { csvFile } from '../csv.ts';
import { statementCsv } from './statement-csv.ts';
import { StatementDocuments } from './statement-documents.ts';
import { MONTH, statementMonth } from './statement-month.ts';
import { StatementView } from './statement-view.ts';
import { Statements } from './statements.ts';

const LOCALES = ['es-CO', 'en'] as const satisfies Locale[];

export class StatementQuery {
  @ApiOptional({ description: 'Language of the PDF. Left out: the tenant’s.' })
  @IsIn(LOCALES)
  locale?: Locale;
}

/** GET /v1/billing/statements/{month} */
@Controller('v1/billing/statements')
@ApiTags('Billing')
@ApiExtraModels(StatementView)
export class ShowStatement {
  constructor(
    private readonly statements: Statements,
    private readonly documents: StatementDocuments,
  ) {}

  @Get(':month')
  @RequireScope('billing:read')
  @Header('Vary', 'Accept')
  @ApiOperation({
    operationId: 'showStatement',
    summary: 'Show the statement of a month',
    description:
      'What a month began with, what was added and used, by module and operation, and what it ended with: as JSON, or with ' +
      '`Accept: text/csv` as CSV, whose lines from the opening balance on add up to the closing balance, or with ' +
      '`Accept: application/pdf` as a sealed PDF. The month is one in America/Bogota. While it is not over, the statement is ' +
      '`provisional`; afterwards its PDF is sealed once and stays the same file.',
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
      'application/pdf': { schema: shape.pdf },
    },
    headers: {
      'Content-Disposition': FILE_NAME_HEADER,
      'X-Document-SHA256': {
        description: 'Of a PDF: the SHA-256 of the file, hex.',
        schema: { type: 'string', ...shape.sha256 },
      },
    },
  })
  @ApiProblems('validation-error', 'not-found', 'dependency-unavailable')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('month') named: string,
    @Query() query: StatementQuery,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StatementView | StreamableFile> {
    const month = statementMonth(named);
    const type = preferredType(accept, ['application/json', 'text/csv', 'application/pdf']);
    if (type === 'application/pdf') {
      const pdf = await this.documents.pdf(tenant.id, month, query.locale);
      void reply.header('X-Document-SHA256', createHash('sha256').update(pdf).digest('hex'));
      return new StreamableFile(pdf, {
        type,
        length: pdf.length,
        disposition: `attachment; filename="statement-${month.month}.pdf"`,
      });
    }
    const statement = await this.statements.of(tenant.id, month);
    return type === 'application/json' ? statement : csvFile(statementCsv(statement), `statement-${month.month}`);
  }
}
