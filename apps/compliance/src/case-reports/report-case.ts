import { shape } from '@constancia/contracts';
import {
  actingOf,
  ApiActor,
  ApiProblems,
  CurrentPrincipal,
  FILE_NAME_HEADER,
  pageLanguage,
  type Principal,
  RequireScope,
} from '@constancia/http';
import { ownPages, PdfPool } from '@constancia/pdf-sealing';
import { Controller, Get, Header, Headers, Param, StreamableFile } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { readDossier } from '../case-dossiers/case-dossier.ts';
import { CaseDossierView } from '../case-dossiers/case-dossier-view.ts';
import { Cases } from '../cases/cases.ts';
import { CASE_ID_EXAMPLE } from '../example-ids.ts';
import { ListAges } from '../lists/dated-lists.ts';
import { orUnavailable } from '../pdfs.module.ts';
import { reportPages } from './report-pages.ts';

/** GET /v1/cases/{id}/report: the case as a PDF, to be filed or handed to an auditor. */
@Controller('v1/cases')
@ApiTags('Cases')
export class ReportCase {
  constructor(
    private readonly cases: Cases,
    private readonly pdfs: PdfPool,
    private readonly ages: ListAges,
  ) {}

  @Get(':id/report')
  @RequireScope('compliance:read')
  @Header('Vary', 'Accept-Language')
  @ApiOperation({
    operationId: 'reportCase',
    summary: 'Download a case as a PDF',
    description:
      'Who it is about, the hits with their evidence, the rules with their legal basis, the decision, how old the lists were, the attached files with their ' +
      'SHA-256, and the timeline in plain words with the state of its chain; in Spanish, or in English when `Accept-Language` prefers it. ' +
      'The ROS draft, and that there is one, are in it only with the scope compliance:ros. The PDF is made for each request and has no signature.',
  })
  @ApiParam({ name: 'id', example: CASE_ID_EXAMPLE })
  @ApiActor()
  @ApiHeader({ name: 'accept-language', required: false, schema: { type: 'string', ...shape.header } })
  @ApiOkResponse({
    description: 'The PDF.',
    content: { 'application/pdf': { schema: shape.pdf } },
    headers: { 'Content-Disposition': FILE_NAME_HEADER },
  })
  @ApiProblems('validation-error', 'not-found', 'dependency-unavailable')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Headers('x-actor') actor: string | undefined,
    @Headers('accept-language') language: string | undefined,
  ): Promise<StreamableFile> {
    const { tenant, scopes } = principal;
    const acting = actingOf(actor, principal);
    const caller = { ...acting, scopes, isClosing: tenant.standing === 'closing' };
    const dossier = await this.cases.inspect(tenant.id, id, (tx, keyring, file) =>
      readDossier(tx, keyring, file, this.ages),
    );
    const { base, additions } = ownPages(
      reportPages({
        dossier: CaseDossierView.ofDossier(dossier, caller),
        rosDraft: scopes.has('compliance:ros') ? dossier.file.found.ros_draft : null,
        language: pageLanguage(language),
        entity: tenant.displayName,
        madeBy: acting.actor,
        madeAt: new Date(),
      }),
    );
    const pdf = await orUnavailable(this.pdfs.draw(base, additions));
    const disposition = `attachment; filename="case-${id}.pdf"`;
    return new StreamableFile(pdf, { type: 'application/pdf', length: pdf.length, disposition });
  }
}
