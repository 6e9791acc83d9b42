import { ApiProblems, CurrentTenant, RequireScope, type Tenant } from '@constancia/http';
import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { EnvelopeBatchView } from './envelope-batch-view.ts';
import { EnvelopeBatches } from './envelope-batches.ts';

/** GET /v1/envelope-batches/{id}, and POST …/cancel. */
@Controller('v1/envelope-batches/:id')
@ApiTags('Envelopes')
export class GetEnvelopeBatch {
  constructor(private readonly batches: EnvelopeBatches) {}

  @Get()
  @RequireScope('signing:read')
  @ApiOperation({ operationId: 'getEnvelopeBatch', summary: 'Get an envelope batch and how far it is' })
  @ApiOkResponse({ type: EnvelopeBatchView })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<EnvelopeBatchView> {
    return EnvelopeBatchView.of(await this.batches.find(tenant.id, id));
  }

  @Post('cancel')
  @RequireScope('signing:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'cancelEnvelopeBatch',
    summary: 'Cancel an envelope batch',
    description:
      'Envelopes that were sent stay, with their charge: void them one by one. After the answer no further one is sent. A cancelled batch ' +
      'may be cancelled again; one that ended otherwise is 409.',
  })
  @ApiOkResponse({ type: EnvelopeBatchView })
  @ApiProblems('not-found', 'state-conflict')
  async cancel(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<EnvelopeBatchView> {
    return EnvelopeBatchView.of(await this.batches.cancel(tenant.id, id));
  }
}
