import { ApiProblems, CurrentTenant, pathUuid, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get, Headers, Param, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DocumentRevisions } from '../evidence/document-revisions.ts';
import { RevisionQuery } from '../evidence/revision-query.ts';
import { ApiTaggedPdf } from '../tagged-pdf.openapi.ts';
import { PdfStore } from '../pdf-store.ts';
import { INTEGRITY_HEADERS } from './integrity-headers.openapi.ts';
import { asRevised, sealedDocument } from './integrity.ts';
import { sealedAnswer } from './sealed-answer.ts';
import { SIGNATURE_ID_EXAMPLE } from './signature-view.ts';
import { Signatures } from './signatures.ts';

/** GET /v1/signatures/{id}/document: the sealed PDF, and in the headers what proves it. */
@Controller('v1/signatures')
@ApiTags('Signatures')
export class DownloadDocument {
  constructor(
    private readonly signatures: Signatures,
    private readonly revisions: DocumentRevisions,
    private readonly store: PdfStore,
  ) {}

  @Get(':id/document')
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'downloadSignedDocument',
    summary: 'Download the signed PDF',
    description:
      'The headers carry the SHA-256 of the bytes and a detached signature over it, so that anyone with the public key can ' +
      'verify the file offline. Before the request is signed: 409 state-conflict.',
  })
  @ApiParam({ name: 'id', example: SIGNATURE_ID_EXAMPLE })
  @ApiTaggedPdf('The signed PDF.', INTEGRITY_HEADERS)
  @ApiProblems('validation-error', 'not-found', 'state-conflict', 'dependency-unavailable')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Query() { revision }: RevisionQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    const document = sealedDocument(await this.signatures.findDocument(tenant.id, id));
    const name = { tenant_id: tenant.id, kind: 'signature' as const, id: pathUuid('sig', id) };
    const latest = revision === 'latest' ? await this.revisions.latest(name) : null;
    return sealedAnswer(asRevised(document, latest), id, { store: this.store, reply, ifNoneMatch });
  }
}
