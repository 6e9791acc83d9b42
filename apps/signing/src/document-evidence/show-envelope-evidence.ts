import { ApiProblems, CurrentTenant, pathUuid, RequireScope, type Tenant } from '@constancia/http';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ENVELOPE_ID_EXAMPLE } from '../envelopes/envelope-view.ts';
import { Envelopes } from '../envelopes/envelopes.ts';
import { sealedEnvelope } from '../envelopes/sealed-envelope.ts';
import { EvidenceView } from './evidence-view.ts';
import { ShownEvidence } from './shown-evidence.ts';

/** GET /v1/envelopes/{id}/evidence */
@Controller('v1/envelopes')
@ApiTags('Envelopes')
export class ShowEnvelopeEvidence {
  constructor(
    private readonly envelopes: Envelopes,
    private readonly evidence: ShownEvidence,
  ) {}

  @Get(':id/evidence')
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'showEnvelopeEvidence',
    summary: 'Show the evidence of a sealed envelope',
    description:
      'Its level, its revisions and when the next one is due. Before the envelope is sealed: 409 state-conflict.',
  })
  @ApiParam({ name: 'id', example: ENVELOPE_ID_EXAMPLE })
  @ApiOkResponse({ type: EvidenceView })
  @ApiProblems('not-found', 'state-conflict', 'dependency-unavailable')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<EvidenceView> {
    const sealed = sealedEnvelope(await this.envelopes.findRow(tenant.id, id));
    return this.evidence.of({ tenant_id: tenant.id, kind: 'envelope', id: pathUuid('env', id) }, sealed);
  }
}
