import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Param, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PDF_CONTENT } from '../pdf-body.ts';
import { PdfStore } from '../pdf-store.ts';
import { UPLOADED_HEADERS, uploadedAnswer } from '../uploaded-answer.ts';
import { CIRCUIT_ID_EXAMPLE } from './circuit-view.ts';
import { Circuits } from './circuits.ts';

/** GET /v1/circuits/{id}/base-pdf: the bytes as they were uploaded. */
@Controller('v1/circuits')
@ApiTags('Circuits')
export class DownloadBasePdf {
  constructor(
    private readonly circuits: Circuits,
    private readonly store: PdfStore,
  ) {}

  @Get(':id/base-pdf')
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'downloadBasePdf',
    summary: 'Download the base PDF of a circuit, as it was uploaded',
    description: 'Byte for byte; the ETag is its SHA-256.',
  })
  @ApiParam({ name: 'id', example: CIRCUIT_ID_EXAMPLE })
  @ApiProduces('application/pdf')
  @ApiOkResponse({ description: 'The PDF.', content: PDF_CONTENT, headers: UPLOADED_HEADERS })
  @ApiProblems('not-found', 'dependency-unavailable')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const circuit = await this.circuits.find(tenant.id, id);
    const { base_pdf_key: key, base_pdf_sha256: sha256, code } = circuit;
    if (key === null || sha256 === null) throw new NotFound('The circuit has no base PDF yet.');
    return uploadedAnswer({ key, sha256 }, code, { store: this.store, reply });
  }
}
