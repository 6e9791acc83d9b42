import { contentDisposition, FILE_NAME_HEADER, matchesETag } from '@constancia/http';
import type { StateConflict } from '@constancia/problem-json';
import { Get, Headers, Res, StreamableFile } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { isOpen } from '../envelope-records/envelope-states.ts';
import { ApiTaggedPdf } from '../tagged-pdf.openapi.ts';
import { CurrentDocuments } from './current-document.ts';
import { CurrentSigner, CurrentVisitor, type Visitor } from '../signer-requests/current-signer.ts';
import type { FoundSigner, SignerFacts } from '../signer-requests/found-signer.ts';
import { documentNeedsProof, isProven } from '../signer-requests/next-step.ts';
import { standingIn } from '../signer-requests/sign-state-view.ts';
import { notNow, SignerRequests } from '../signer-requests/signer-requests.ts';
import { SignerController, SignerRoute } from '../signer-requests/signer-routes.ts';

const HEADERS = {
  'X-Document-SHA256': {
    description: 'SHA-256 of the PDF, hex: kept as evidence of what the signer was shown.',
    schema: { type: 'string' as const, pattern: '^[0-9a-f]{64}$' },
  },
  'Content-Disposition': FILE_NAME_HEADER,
  ETag: {
    description: 'X-Document-SHA256 in quotes.',
    schema: { type: 'string' as const, pattern: '^"[0-9a-f]{64}"$' },
  },
};

/** GET /v1/sign/{token}/document: the PDF as it stands for this signer. */
@SignerController()
export class GetDocument {
  constructor(
    private readonly requests: SignerRequests,
    private readonly documents: CurrentDocuments,
  ) {}

  @Get('document')
  @ApiOperation({
    operationId: 'getSignDocument',
    summary: 'Download the document as it stands',
    description:
      'With the fields of those who have signed already; once the envelope is sealed, the sealed file. Until the own signature the ' +
      'SHA-256 of what an authenticated signer was shown last is kept as evidence. 409 while an earlier signer is not done, after the ' +
      'envelope was declined or failed, and without a proof of authentication when the circuit has `document_access: authenticated`, ' +
      'also after sealing. Sent whole: ranges are not answered.',
  })
  @ApiTaggedPdf('The PDF.', HEADERS)
  @SignerRoute('state-conflict', 'dependency-unavailable')
  async handle(
    @CurrentSigner() found: FoundSigner,
    @CurrentVisitor() visitor: Visitor,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile | undefined> {
    const refusal = refusalFor(found.facts);
    if (refusal) throw refusal;
    const { sha256, open } = await this.documents.of(found);
    const hex = sha256.toString('hex');
    const held = matchesETag(ifNoneMatch, hex);
    const opened = held ? undefined : await open();
    if (visitor.sees && isNews(found.facts, sha256)) await this.requests.showDocument(found, visitor, sha256);
    reply.headers({
      'X-Document-SHA256': hex,
      ETag: `"${hex}"`,
      'Content-Disposition': contentDisposition('inline', {
        title: found.facts.subject,
        usual: 'document',
        ending: 'pdf',
      }),
      'Cache-Control': 'private, no-cache', // may be kept, but is asked for again with If-None-Match
    });
    if (opened) return new StreamableFile(opened.body, { type: 'application/pdf', length: opened.size });
    reply.status(304);
    return undefined;
  }
}

/** Whether the evidence does not say so yet. Looks by the link alone are none, and after the own signature it stays what it is. */
function isNews(facts: SignerFacts, sha256: Buffer): boolean {
  const { envelope_status, status, document_shown_sha256, document_shown_at } = facts;
  if (!isOpen(envelope_status) || status === 'signed' || !isProven(standingIn(facts))) return false;
  return document_shown_at === null || !document_shown_sha256?.equals(sha256);
}

function refusalFor(facts: SignerFacts): StateConflict | undefined {
  const { envelope_status, status } = facts;
  const standing = standingIn(facts);
  if (envelope_status === 'declined' || envelope_status === 'failed') return notNow(standing, 'There is no document');
  if (status === 'waiting') return notNow(standing, 'The document is shown when it is the turn of this signer');
  if (documentNeedsProof(standing)) {
    return notNow(standing, 'The document is shown after authentication');
  }
  return undefined;
}
