import { shape } from '@constancia/contracts';
import {
  actingOf,
  ApiActor,
  ApiOptional,
  ApiProblems,
  CurrentPrincipal,
  FILE_NAME_HEADER,
  IsInstant,
  MayBeStale,
  periodOf,
  type Principal,
  RequireScope,
} from '@constancia/http';
import { bogotaDay } from '@constancia/kernel';
import { Controller, Get, Headers, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import type { FastifyReply } from 'fastify';
import type { CaseHeaders } from '../cases/act-on-case.ts';
import { CaseExports } from './case-export.ts';
import { exportedCases } from './case-rows.ts';

export class ExportCasesQuery {
  @ApiOptional({
    description: 'Cases opened from then on: a date-time, or a date (the whole day in America/Bogota).',
    example: '2026-11-01',
  })
  @IsInstant()
  from?: string;

  @ApiOptional({
    description: 'Cases opened before then; a date (America/Bogota) includes that day.',
    example: '2026-11-30',
  })
  @IsInstant()
  to?: string;

  @ApiOptional({
    default: false,
    description:
      'With a byte order mark and semicolons, as Excel in Spanish opens it by a double click; the names of columns with moments end in ` (UTC)`.',
  })
  @IsBoolean()
  excel?: boolean;
}

/** GET /v1/cases/export */
@Controller('v1/cases')
@ApiTags('Cases')
export class ExportCases {
  constructor(private readonly exports: CaseExports) {}

  @Get('export')
  @MayBeStale()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'exportCases',
    summary: 'Export cases as CSV',
    description:
      'RFC 4180, UTF-8, with a header line; the oldest case first; everything as it was at one moment. Text cells that a ' +
      'spreadsheet would run as a formula begin with an apostrophe. One export at a time: 409 conflict while another one of the ' +
      'tenant is under way. Every export is noted in GET /v1/cases/exports with its rows and the SHA-256 of its bytes.',
  })
  @ApiActor()
  @ApiProduces('text/csv')
  @ApiOkResponse({
    description: 'The cases.',
    content: { 'text/csv': { schema: { type: 'string', ...shape.text(Number.MAX_SAFE_INTEGER) } } },
    headers: {
      'Content-Disposition': FILE_NAME_HEADER,
      'X-Row-Count': { description: 'Cases in the file: compare, to know that it is whole.', schema: shape.count() },
      'X-ROS-Drafts': {
        description: 'Cases in the file with a ROS draft; 0: report the absence (AROS).',
        schema: shape.count(),
      },
    },
  })
  @ApiProblems('validation-error', 'conflict')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ExportCasesQuery,
    @Headers() headers: CaseHeaders,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const { from, to } = periodOf(query, '/query/to');
    const request = {
      tenantId: principal.tenant.id,
      ...actingOf(headers['x-actor'], principal),
      content: 'cases' as const,
      from,
      to,
      excel: query.excel ?? false,
    };
    const { body, rows, rosDrafts } = await this.exports.start(request, exportedCases(request));
    void reply.headers({ 'X-Row-Count': rows, 'X-ROS-Drafts': rosDrafts, 'Cache-Control': 'no-store' });
    return new StreamableFile(body, {
      type: 'text/csv; charset=utf-8',
      disposition: `attachment; filename="cases-${bogotaDay(new Date())}.csv"`,
    });
  }
}
