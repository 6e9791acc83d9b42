import { shape } from '@constancia/contracts';
import { AlsoOnPageHost, ApiPublicProblems, Public } from '@constancia/http';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { maskedName } from './masked-name.ts';
import { Proofs } from './proof-view.ts';
import { PublicDocuments } from './public-documents.ts';
import { PublicEnvelopeView } from './public-envelope-view.ts';

/** GET /v1/verify/{public_id}: how an envelope stands and what its document is verified with, for anyone. */
@Controller('v1/verify')
@ApiTags('Verification')
export class ShowTrail {
  constructor(
    private readonly documents: PublicDocuments,
    private readonly proofs: Proofs,
  ) {}

  @Get(':public_id')
  @Public()
  @AlsoOnPageHost()
  @ApiOperation({
    operationId: 'verifyEnvelope',
    summary: 'Show the public trail of an envelope',
    description:
      'Public; the public id stands on the certificate of completion, as text and as a QR code. Names are masked; there are no ' +
      'addresses, and of every event only its link in the chain. Anyone who has the audit trail (`GET /v1/envelopes/{id}/audit`) ' +
      'can compute those hashes again.',
  })
  @ApiParam({ name: 'public_id', example: '3Kq8ZrT0vXn5LmPw2YbC7d', schema: { type: 'string', ...shape.publicId } })
  @ApiOkResponse({ type: PublicEnvelopeView, description: 'The envelope, as the public may see it.' })
  @ApiPublicProblems('not-found', 'dependency-unavailable')
  async handle(@Param('public_id') publicId: string): Promise<PublicEnvelopeView> {
    const envelope = await this.documents.envelope(publicId);
    return {
      public_id: envelope.public_id,
      status: envelope.status,
      tenant: { display_name: envelope.tenant_display_name },
      ...(await this.proofs.of(envelope)),
      base_document_sha256: envelope.base_document_sha256.toString('hex'),
      signers: envelope.signers.map(({ name, role, status, signed_at }) => ({
        name_masked: name === null ? null : maskedName(name),
        role,
        status,
        signed_at,
      })),
      trail: envelope.trail,
      trail_head: envelope.trail.at(-1)?.hash ?? null,
    };
  }
}
