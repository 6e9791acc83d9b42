import { ApiProblems, CurrentTenant, type Tenant } from '@constancia/http';
import { Controller, Get, Param, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PDF_CONTENT } from '../pdf-body.ts';
import { PdfStore } from '../pdf-store.ts';
import { TEMPLATE_ID_EXAMPLE } from './template-view.ts';
import { Templates } from './templates.ts';

/** GET /v1/templates/{id}/document: the bytes as they were uploaded. */
@Controller('v1/templates')
@ApiTags('Templates')
export class DownloadTemplate {
  constructor(
    private readonly templates: Templates,
    private readonly store: PdfStore,
  ) {}

  @Get(':id/document')
  @ApiOperation({ operationId: 'downloadTemplate', summary: 'Download the PDF of a template, as it was uploaded' })
  @ApiParam({ name: 'id', example: TEMPLATE_ID_EXAMPLE })
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
    const template = await this.templates.find(tenant.id, id);
    const { body, size } = await this.store.stream(template.storage_key);
    reply.headers({ ETag: `"${template.sha256.toString('hex')}"`, 'Cache-Control': 'private, no-cache' });
    return new StreamableFile(body, {
      type: 'application/pdf',
      length: size,
      disposition: `attachment; filename="${template.code}.pdf"`,
    });
  }
}
