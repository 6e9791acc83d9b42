import { contentDisposition, FILE_NAME_HEADER } from '@constancia/http';
import { Get, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { PDF_CONTENT } from '../pdf-body.ts';
import { CurrentSigner } from '../signer-requests/current-signer.ts';
import type { FoundSigner } from '../signer-requests/found-signer.ts';
import { hasCopy } from '../signer-requests/next-step.ts';
import { standingIn } from '../signer-requests/sign-state-view.ts';
import { notNow } from '../signer-requests/signer-requests.ts';
import { SignerController, SignerRoute } from '../signer-requests/signer-routes.ts';
import { CurrentDocuments } from './current-document.ts';

/** GET /v1/sign/{token}/copy: what the signer has signed, before the document is sealed. */
@SignerController()
export class GetCopy {
  constructor(private readonly documents: CurrentDocuments) {}

  @Get('copy')
  @ApiOperation({
    operationId: 'getSignCopy',
    summary: 'Download a copy of what was signed',
    description:
      'From the own signature until the envelope is sealed, with a proof of authentication (cookie or `X-Sign-Proof`): the document with ' +
      'the fields filled in so far, marked on each page as not final. Otherwise 409; once sealed, `…/document` is the final file.',
  })
  @ApiProduces('application/pdf')
  @ApiOkResponse({
    description: 'The PDF.',
    content: PDF_CONTENT,
    headers: { 'Content-Disposition': FILE_NAME_HEADER },
  })
  @SignerRoute('state-conflict', 'dependency-unavailable')
  async handle(
    @CurrentSigner() found: FoundSigner,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const standing = standingIn(found.facts);
    const copy = hasCopy(standing) ? await this.documents.copyOf(found) : null;
    if (copy === null) throw notNow(standing, 'There is no copy');
    reply.headers({
      'Content-Disposition': contentDisposition('attachment', {
        title: found.facts.subject && `copy-not-final ${found.facts.subject}`,
        usual: 'copy-not-final',
        ending: 'pdf',
      }),
      'Cache-Control': 'private, no-store',
    });
    return new StreamableFile(copy, { type: 'application/pdf', length: copy.length });
  }
}
