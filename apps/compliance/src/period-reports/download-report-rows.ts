import { shape } from '@constancia/contracts';
import {
  actingOf,
  ApiActor,
  ApiOptional,
  ApiProblems,
  CurrentPrincipal,
  FILE_NAME_HEADER,
  MayBeStale,
  type Principal,
  RequireScope,
} from '@constancia/http';
import { bogotaDay } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { applyDecorators, Controller, Get, Headers, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { CaseExports, type CsvSource, type ExportContent, type ExportRequest } from '../case-exports/case-export.ts';
import type { CaseHeaders } from '../cases/act-on-case.ts';
import { ListAges } from '../lists/dated-lists.ts';
import { reportedCases, reportedScreenings } from './report-rows.ts';
import { archivedWithin } from '../screenings/archive/archived-screenings.ts';
import { PeriodQuery, reportPeriod } from './report-period.ts';

export class ReportRowsQuery extends PeriodQuery {
  @ApiOptional({
    default: false,
    description:
      'With a byte order mark and semicolons, as Excel in Spanish opens it by a double click; the names of columns with moments end in ` (UTC)`.',
  })
  @IsBoolean()
  excel?: boolean;
}

const FILE =
  'RFC 4180, UTF-8, with a header line; the oldest row first; everything as it was at one moment. Text cells that a spreadsheet would ' +
  'run as a formula begin with an apostrophe. `oldest_list`, `oldest_list_days` and `stale_lists` describe the lists when it was decided. ' +
  'One export at a time: 409 conflict. Every file is noted in GET /v1/cases/exports.';

function ApiRows(description: string, headers: object = {}): MethodDecorator {
  return applyDecorators(
    ApiActor(),
    ApiProduces('text/csv'),
    ApiOkResponse({
      description,
      content: { 'text/csv': { schema: { type: 'string', ...shape.text(Number.MAX_SAFE_INTEGER) } } },
      headers: {
        'Content-Disposition': FILE_NAME_HEADER,
        'X-Row-Count': { description: 'Rows in the file: compare, to know that it is whole.', schema: shape.count() },
        ...headers,
      },
    }),
    ApiProblems('validation-error', 'conflict'),
  );
}

/** The rows behind a report of a period, as CSV. */
@Controller('v1/reports/compliance')
@ApiTags('Reports')
export class DownloadReportRows {
  constructor(
    private readonly exports: CaseExports,
    private readonly ages: ListAges,
  ) {}

  @Get('cases')
  @MayBeStale()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'complianceReportCases',
    summary: 'Download the cases of a period as CSV',
    description: `Without personal data; GET /v1/cases/export has it. ${FILE}`,
  })
  @ApiRows('The cases.')
  cases(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ReportRowsQuery,
    @Headers() headers: CaseHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const request = requestOf(principal, query, headers, 'case_report');
    return this.file(request, reportedCases(request, this.ages), reply, 'cases');
  }

  @Get('screenings')
  @MayBeStale()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'complianceReportScreenings',
    summary: 'Download the screenings of a period as CSV',
    description: `Without personal data, and without screenings that are archived: X-Archived-Until says until when, where there are any in the period. ${FILE}`,
  })
  @ApiRows('The screenings.', {
    'X-Archived-Until': {
      description:
        'Screenings of up to then are archived in files, which GET /v1/export names. Left out: all are here.',
      schema: { type: 'string', format: 'date-time' },
    },
  })
  async screenings(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ReportRowsQuery,
    @Headers() headers: CaseHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const request = requestOf(principal, query, headers, 'screening_report');
    const { tenantId, from } = request;
    const source = reportedScreenings(request, this.ages);
    const found: { archived: Date | null } = { archived: null };
    // In the snapshot of the rows: a file that says nothing has all of them.
    const begin = async (tx: Tx) => {
      found.archived = await archivedWithin(tx, tenantId, from);
      return source.begin(tx);
    };
    const file = await this.file(request, { ...source, begin }, reply, 'screenings');
    if (found.archived) void reply.header('X-Archived-Until', found.archived.toISOString());
    return file;
  }

  private async file<Row extends object>(
    request: ExportRequest,
    source: CsvSource<Row>,
    reply: FastifyReply,
    name: string,
  ): Promise<StreamableFile> {
    const { body, rows } = await this.exports.start(request, source);
    void reply.headers({ 'X-Row-Count': rows, 'Cache-Control': 'no-store' });
    const disposition = `attachment; filename="report-${name}-${bogotaDay(new Date())}.csv"`;
    return new StreamableFile(body, { type: 'text/csv; charset=utf-8', disposition });
  }
}

function requestOf(principal: Principal, query: ReportRowsQuery, headers: CaseHeaders, content: ExportContent) {
  const acting = actingOf(headers['x-actor'], principal);
  return { tenantId: principal.tenant.id, ...acting, ...reportPeriod(query), content, excel: query.excel ?? false };
}
