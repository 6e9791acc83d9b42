import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get, Param, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PDF_CONTENT } from '../pdf-body.ts';
import { PdfStore } from '../pdf-store.ts';
import { UPLOADED_HEADERS, uploadedAnswer } from '../uploaded-answer.ts';
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
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'downloadTemplate',
    summary: 'Download the PDF of a template, as it was uploaded',
    description: 'Byte for byte; the ETag is its SHA-256.',
  })
  @ApiParam({ name: 'id', example: TEMPLATE_ID_EXAMPLE })
  @ApiProduces('application/pdf')
  @ApiOkResponse({ description: 'The PDF.', content: PDF_CONTENT, headers: UPLOADED_HEADERS })
  @ApiProblems('not-found', 'dependency-unavailable')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const template = await this.templates.find(tenant.id, id);
    const { storage_key: key, sha256, code } = template;
    return uploadedAnswer({ key, sha256 }, code, { store: this.store, reply });
  }
}
