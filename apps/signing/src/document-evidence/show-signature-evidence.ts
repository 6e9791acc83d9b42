import { ApiProblems, CurrentTenant, pathUuid, RequireScope, type Tenant } from '@constancia/http';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { sealedDocument } from '../signatures/integrity.ts';
import { SIGNATURE_ID_EXAMPLE } from '../signatures/signature-view.ts';
import { Signatures } from '../signatures/signatures.ts';
import { EvidenceView } from './evidence-view.ts';
import { ShownEvidence } from './shown-evidence.ts';

/** GET /v1/signatures/{id}/evidence */
@Controller('v1/signatures')
@ApiTags('Signatures')
export class ShowSignatureEvidence {
  constructor(
    private readonly signatures: Signatures,
    private readonly evidence: ShownEvidence,
  ) {}

  @Get(':id/evidence')
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'showSignatureEvidence',
    summary: 'Show the evidence of a signed document',
    description:
      'Its level, its revisions and when the next one is due. Before the request is signed: 409 state-conflict.',
  })
  @ApiParam({ name: 'id', example: SIGNATURE_ID_EXAMPLE })
  @ApiOkResponse({ type: EvidenceView })
  @ApiProblems('not-found', 'state-conflict', 'dependency-unavailable')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<EvidenceView> {
    const sealed = sealedDocument(await this.signatures.findDocument(tenant.id, id));
    return this.evidence.of({ tenant_id: tenant.id, kind: 'signature', id: pathUuid('sig', id) }, sealed);
  }
}
