import { shape } from '@constancia/contracts';
import {
  actingOf,
  ApiActor,
  ApiProblems,
  CurrentPrincipal,
  FILE_NAME_HEADER,
  type Principal,
  RequireScope,
} from '@constancia/http';
import { ownPages, PdfPool } from '@constancia/pdf-sealing';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Header, Headers, Param, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Cases } from '../cases/cases.ts';
import { CASE_ID_EXAMPLE } from '../example-ids.ts';
import { ListAges } from '../lists/dated-lists.ts';
import { ListFreshnessView } from '../lists/list-freshness-view.ts';
import { orUnavailable } from '../pdfs.module.ts';
import { rosPages } from './ros-pages.ts';

/** GET /v1/cases/{id}/ros-draft/pdf: the draft on paper, to be completed. */
@Controller('v1/cases')
@ApiTags('Cases')
export class ReportRosDraft {
  constructor(
    private readonly cases: Cases,
    private readonly pdfs: PdfPool,
    private readonly ages: ListAges,
  ) {}

  @Get(':id/ros-draft/pdf')
  @RequireScope('compliance:ros')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({
    operationId: 'rosDraftPdf',
    summary: 'Download the draft of a suspicious operation report (ROS) as a PDF',
    description:
      'What GET /v1/cases/{id}/ros-draft answers, in Spanish, with the age of the lists when it was detected and blanks for what only the entity knows; ' +
      'marked as a draft, and as reserved: nobody outside compliance may learn of it. 404 while there is none.',
  })
  @ApiParam({ name: 'id', example: CASE_ID_EXAMPLE })
  @ApiActor()
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
  ): Promise<StreamableFile> {
    const { ros_draft: draft } = await this.cases.find(principal.tenant.id, id);
    if (draft === null) throw new NotFound();
    const { list_versions, screened_at } = draft.detection;
    const lists = await this.ages.at(principal.tenant.id, list_versions, new Date(screened_at));
    const { actor: madeBy } = actingOf(actor, principal);
    const facts = { draft, lists: lists.map((list) => ListFreshnessView.of(list)), madeBy, madeAt: new Date() };
    const { base, additions } = ownPages(rosPages(facts));
    const pdf = await orUnavailable(this.pdfs.draw(base, additions));
    const disposition = `attachment; filename="ros-draft-${draft.reference}.pdf"`;
    return new StreamableFile(pdf, { type: 'application/pdf', length: pdf.length, disposition });
  }
}
