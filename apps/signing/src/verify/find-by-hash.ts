import { shape } from '@constancia/contracts';
import { AlsoOnPageHost, ApiPublicProblems, Public } from '@constancia/http';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProperty, ApiTags } from '@nestjs/swagger';
import { PublicDocuments } from './public-documents.ts';
import { Proofs, ProofView } from './proof-view.ts';

export class SealedDocumentView extends ProofView {
  @ApiProperty({ enum: ['signature', 'envelope'], description: 'A signature request, or an envelope with signers.' })
  kind: 'signature' | 'envelope';

  @ApiProperty({ enum: ['signed', 'sealed'], description: '`signed` of a signature request, `sealed` of an envelope.' })
  status: 'signed' | 'sealed';

  @ApiProperty({
    ...shape.publicId,
    type: 'string',
    nullable: true,
    description: 'Of an envelope: its public id, for `/v1/verify/{public_id}`.',
  })
  public_id: string | null;
}

/** GET /v1/verify/by-sha256/{sha256}: anyone who holds a sealed file can compute its hash, so nothing is disclosed to others. */
@Controller('v1/verify')
@ApiTags('Verification')
export class FindByHash {
  constructor(
    private readonly documents: PublicDocuments,
    private readonly proofs: Proofs,
  ) {}

  @Get('by-sha256/:sha256')
  @Public()
  @AlsoOnPageHost()
  @ApiOperation({
    operationId: 'findSealedDocument',
    summary: 'Find a sealed document by its hash',
    description:
      'Public. For anyone who holds a file and nothing else: computes its SHA-256 and learns whether it was sealed here, and what ' +
      'to verify it with. Nothing of its content is known from the answer. One changed byte is another hash: 404.',
  })
  @ApiParam({ name: 'sha256', description: 'SHA-256 of the file, hex.', schema: { type: 'string', ...shape.sha256 } })
  @ApiOkResponse({ type: SealedDocumentView, description: 'What proves the document.' })
  @ApiPublicProblems('not-found')
  async handle(@Param('sha256') sha256: string): Promise<SealedDocumentView> {
    const document = await this.documents.bySha256(sha256);
    const { kind, status, public_id } = document;
    return { kind, status, public_id, ...(await this.proofs.of(document)) };
  }
}
