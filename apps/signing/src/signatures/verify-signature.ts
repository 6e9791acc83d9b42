import { createHash } from 'node:crypto';
import { type EmbeddedSignature, PdfPool } from '@constancia/pdf-sealing';
import { DependencyUnavailable } from '@constancia/problem-json';
import {
  ApiProblems,
  CurrentTenant,
  pathUuid,
  RawPdfBody,
  type Tenant,
  RequireScope,
  WhileClosing,
} from '@constancia/http';
import { Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { DocumentRevisions } from '../evidence/document-revisions.ts';
import { RevisionQuery } from '../evidence/revision-query.ts';
import { SEALED_PDF_LIMIT_BYTES } from '../pdf-body.ts';
import { PdfStore } from '../pdf-store.ts';
import { SigningKeys } from '../signing-keys/signing-keys.ts';
import { asRevised, sealedDocument, verifyDetached } from './integrity.ts';
import { ownSignature } from './own-signature.ts';
import { SIGNATURE_ID_EXAMPLE } from './signature-view.ts';
import { Signatures } from './signatures.ts';
import { VerificationView } from './verification-view.ts';

/** POST /v1/signatures/{id}/verify: is this file, or the one we keep, the one that was signed? */
@Controller('v1/signatures')
@ApiTags('Signatures')
export class VerifySignature {
  constructor(
    private readonly signatures: Signatures,
    private readonly revisions: DocumentRevisions,
    private readonly store: PdfStore,
    private readonly keys: SigningKeys,
    private readonly pdfs: PdfPool,
  ) {}

  @Post(':id/verify')
  @RequireScope('signing:read')
  @WhileClosing()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'verifySignature',
    summary: 'Verify a signed document',
    description:
      'Without a body: the document that the service keeps (`revision` says which file of it). With a body: those bytes, whatever they are; ' +
      'they are not kept, and every revision of the document is known. The ' +
      'digest is computed again and both signatures are verified with the public key: the one beside the file (X-Signature) and the ' +
      'one inside it. At most 32 MB. Before the request is signed: 409 state-conflict.',
  })
  @ApiParam({ name: 'id', example: SIGNATURE_ID_EXAMPLE })
  @ApiOkResponse({ type: VerificationView, description: 'What was found; also when it is not valid.' })
  @ApiProblems(
    'bad-request',
    'not-found',
    'state-conflict',
    'payload-too-large',
    'unsupported-media-type',
    'dependency-unavailable',
  )
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Query() { revision: wanted }: RevisionQuery,
    @RawPdfBody(SEALED_PDF_LIMIT_BYTES, { optional: true }) pdf: Buffer | undefined,
  ): Promise<VerificationView> {
    const sealed = sealedDocument(await this.signatures.findDocument(tenant.id, id));
    const name = { tenant_id: tenant.id, kind: 'signature' as const, id: pathUuid('sig', id) };
    const revision = await (pdf
      ? this.revisions.withSha256(name, createHash('sha256').update(pdf).digest())
      : wanted === 'latest' && this.revisions.latest(name));
    const document = asRevised(sealed, revision || null);
    const keys = await this.keys.named(document.kms_key_arn);
    const bytes = pdf ?? (await this.store.get(document.document_key));
    const { sha256, signed } = verifyDetached(
      bytes,
      document.signature,
      keys.map((key) => key.public_key_pem),
    );
    const valid = signed && sha256.equals(document.document_sha256);
    const extension = valid && revision ? { level: revision.level, sealedBytes: sealed.document_size } : undefined;
    return {
      valid,
      sha256: sha256.toString('hex'),
      kms_key_arn: document.kms_key_arn,
      signature_algorithm: document.signature_algorithm,
      signed_at: document.signed_at.toISOString(),
      embedded_signature: ownSignature(
        await this.embedded(bytes),
        await this.keys.named(sealed.kms_key_arn),
        extension,
      ),
    };
  }

  /** Found and verified in a bounded process: the bytes may be anybody's. */
  private async embedded(bytes: Buffer): Promise<EmbeddedSignature[]> {
    try {
      return await this.pdfs.verify(bytes);
    } catch (error) {
      throw new DependencyUnavailable('PDFs cannot be read at present: try again.', {}, {}, error);
    }
  }
}
