import { ApiProblems, CurrentTenant, type Tenant } from '@constancia/http';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Param, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PDF_CONTENT } from '../pdf-body.ts';
import { PdfStore } from '../pdf-store.ts';
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
  @ApiOperation({ operationId: 'downloadBasePdf', summary: 'Download the base PDF of a circuit, as it was uploaded' })
  @ApiParam({ name: 'id', example: CIRCUIT_ID_EXAMPLE })
  @ApiProduces('application/pdf')
  @ApiOkResponse({
    description: 'The PDF.',
    content: PDF_CONTENT,
    headers: { ETag: { description: 'The SHA-256 of the PDF, hex, in quotes.', schema: { type: 'string' } } },
  })
  @ApiProblems('not-found', 'dependency-unavailable')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const circuit = await this.circuits.find(tenant.id, id);
    if (circuit.base_pdf_key === null) throw new NotFound('The circuit has no base PDF yet.');
    const { body, size } = await this.store.stream(circuit.base_pdf_key);
    reply.headers({ ETag: `"${circuit.base_pdf_sha256?.toString('hex')}"`, 'Cache-Control': 'private, no-cache' });
    return new StreamableFile(body, {
      type: 'application/pdf',
      length: size,
      disposition: `attachment; filename="${circuit.code}.pdf"`,
    });
  }
}
