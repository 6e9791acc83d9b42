import { ApiProblems, CurrentTenant, pathUuid, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get, Headers, Param, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DocumentRevisions } from '../evidence/document-revisions.ts';
import { RevisionQuery } from '../evidence/revision-query.ts';
import { ApiTaggedPdf } from '../tagged-pdf.openapi.ts';
import { PdfStore } from '../pdf-store.ts';
import { INTEGRITY_HEADERS } from '../signatures/integrity-headers.openapi.ts';
import { asRevised } from '../signatures/integrity.ts';
import { sealedAnswer } from '../signatures/sealed-answer.ts';
import { ENVELOPE_ID_EXAMPLE } from './envelope-view.ts';
import { Envelopes } from './envelopes.ts';
import { sealedEnvelope } from './sealed-envelope.ts';

/** GET /v1/envelopes/{id}/document: the sealed PDF with its certificate of completion, and in the headers what proves it. */
@Controller('v1/envelopes')
@ApiTags('Envelopes')
export class DownloadEnvelope {
  constructor(
    private readonly envelopes: Envelopes,
    private readonly revisions: DocumentRevisions,
    private readonly store: PdfStore,
  ) {}

  @Get(':id/document')
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'downloadEnvelopeDocument',
    summary: 'Download the sealed PDF of an envelope',
    description:
      'With everything that was signed and filled in, and a certificate of completion behind its own pages. The headers carry its ' +
      'SHA-256 and a detached signature over it, so that anyone with the public key can verify the file offline. Before the envelope ' +
      'is sealed: 409 state-conflict.',
  })
  @ApiParam({ name: 'id', example: ENVELOPE_ID_EXAMPLE })
  @ApiTaggedPdf('The sealed PDF.', INTEGRITY_HEADERS)
  @ApiProblems('validation-error', 'not-found', 'state-conflict', 'dependency-unavailable')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Query() { revision }: RevisionQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    const document = sealedEnvelope(await this.envelopes.findRow(tenant.id, id));
    const name = { tenant_id: tenant.id, kind: 'envelope' as const, id: pathUuid('env', id) };
    const latest = revision === 'latest' ? await this.revisions.latest(name) : null;
    return sealedAnswer(asRevised(document, latest), id, { store: this.store, reply, ifNoneMatch });
  }
}
