import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ENVELOPE_ID_EXAMPLE, EnvelopeView } from './envelope-view.ts';
import { Envelopes } from './envelopes.ts';
import { SignTokens } from '../envelope-records/sign-tokens.ts';

/** GET /v1/envelopes/{id}: how far its signers are. */
@Controller('v1/envelopes')
@ApiTags('Envelopes')
export class GetEnvelope {
  constructor(
    private readonly envelopes: Envelopes,
    private readonly tokens: SignTokens,
  ) {}

  @Get(':id')
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'getEnvelope',
    summary: 'Show an envelope',
    description:
      'With the progress of each signer, and without links. Rather than poll it, receive the events seal.envelope.*.',
  })
  @ApiParam({ name: 'id', example: ENVELOPE_ID_EXAMPLE })
  @ApiOkResponse({ type: EnvelopeView, description: 'The envelope as it stands.' })
  @ApiProblems('not-found', 'dependency-unavailable')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<EnvelopeView> {
    return EnvelopeView.ofFile(await this.envelopes.find(tenant.id, id), this.tokens);
  }
}
