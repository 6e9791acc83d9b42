import { shape } from '@constancia/contracts';
import {
  actingOf,
  ApiActor,
  ApiProblems,
  CurrentPrincipal,
  CurrentTenant,
  FILE_NAME_HEADER,
  MayBeStale,
  pageLanguage,
  type Principal,
  RequireScope,
  type Tenant,
} from '@constancia/http';
import { bogotaDay } from '@constancia/kernel';
import { ownPages, PdfPool } from '@constancia/pdf-sealing';
import { Controller, Get, Header, Headers, Query, StreamableFile } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { orUnavailable } from '../pdfs.module.ts';
import { periodReportPages } from './period-report-pages.ts';
import { PeriodReportView } from './period-report-view.ts';
import { PeriodReports } from './period-reports.ts';
import { MOST_DAYS, PeriodQuery, reportPeriod } from './report-period.ts';

const COUNTS =
  `Of at most ${MOST_DAYS} days; cases by the time when they were opened, as they stand now; without what an erasure has blocked. ` +
  'One report of a tenant is made at a time: 409 conflict.';

/** What happened in a period, in totals. */
@Controller('v1/reports/compliance')
@ApiTags('Reports')
export class ShowPeriodReport {
  constructor(
    private readonly reports: PeriodReports,
    private readonly pdfs: PdfPool,
  ) {}

  @Get()
  @MayBeStale()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'complianceReport',
    summary: 'Report the cases and screenings of a period',
    description: `Totals by rule, list, decision and time to resolve, and how old the lists were that it was decided with. ${COUNTS}`,
  })
  @ApiOkResponse({ type: PeriodReportView })
  @ApiProblems('validation-error', 'conflict')
  async show(@CurrentTenant() tenant: Tenant, @Query() query: PeriodQuery): Promise<PeriodReportView> {
    return PeriodReportView.of(await this.reports.read(tenant.id, reportPeriod(query)));
  }

  @Get('pdf')
  @MayBeStale()
  @RequireScope('compliance:read')
  @Header('Vary', 'Accept-Language')
  @ApiOperation({
    operationId: 'complianceReportPdf',
    summary: 'Download the report of a period as a PDF',
    description: `In Spanish, or in English when \`Accept-Language\` prefers it. ${COUNTS}`,
  })
  @ApiActor()
  @ApiHeader({ name: 'accept-language', required: false, schema: { type: 'string', ...shape.header } })
  @ApiOkResponse({
    description: 'The PDF.',
    content: { 'application/pdf': { schema: shape.pdf } },
    headers: { 'Content-Disposition': FILE_NAME_HEADER },
  })
  @ApiProblems('validation-error', 'conflict', 'dependency-unavailable')
  async pdf(
    @CurrentPrincipal() principal: Principal,
    @Query() query: PeriodQuery,
    @Headers('x-actor') actor: string | undefined,
    @Headers('accept-language') language: string | undefined,
  ): Promise<StreamableFile> {
    const { tenant } = principal;
    const { actor: madeBy } = actingOf(actor, principal);
    const report = PeriodReportView.of(await this.reports.read(tenant.id, reportPeriod(query)));
    const facts = { report, language: pageLanguage(language), entity: tenant.displayName, madeBy };
    const { base, additions } = ownPages(periodReportPages(facts));
    const pdf = await orUnavailable(this.pdfs.draw(base, additions));
    const disposition = `attachment; filename="compliance-report-${bogotaDay(new Date())}.pdf"`;
    return new StreamableFile(pdf, { type: 'application/pdf', length: pdf.length, disposition });
  }
}
