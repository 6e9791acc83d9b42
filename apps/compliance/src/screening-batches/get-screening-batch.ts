import { ApiProblems, CurrentTenant, RequireScope, type Tenant } from '@constancia/http';
import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ScreeningBatchView } from './screening-batch-view.ts';
import { ScreeningBatches } from './screening-batches.ts';

/** GET /v1/screening-batches/{id}, and POST …/cancel. */
@Controller('v1/screening-batches/:id')
@ApiTags('Screenings')
export class GetScreeningBatch {
  constructor(private readonly batches: ScreeningBatches) {}

  @Get()
  @RequireScope('compliance:read')
  @ApiOperation({ operationId: 'getScreeningBatch', summary: 'Get a screening batch and how far it is' })
  @ApiOkResponse({ type: ScreeningBatchView })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<ScreeningBatchView> {
    return ScreeningBatchView.of(await this.batches.find(tenant.id, id));
  }

  @Post('cancel')
  @RequireScope('compliance:screen')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'cancelScreeningBatch',
    summary: 'Cancel a screening batch',
    description:
      'Rows that are done stay, with their charge. After the answer no further row is screened. A cancelled batch may be cancelled again; ' +
      'one that ended otherwise is 409.',
  })
  @ApiOkResponse({ type: ScreeningBatchView })
  @ApiProblems('not-found', 'state-conflict')
  async cancel(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<ScreeningBatchView> {
    return ScreeningBatchView.of(await this.batches.cancel(tenant.id, id));
  }
}
