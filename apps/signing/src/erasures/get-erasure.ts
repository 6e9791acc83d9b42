import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Erasure } from './erasure.ts';
import { ErasureView, RECEIPT_ID_EXAMPLE } from './erasure-view.ts';

/** GET /v1/erasures/{receipt_id} */
@Controller('v1/erasures')
@ApiTags('Erasures')
export class GetErasure {
  constructor(private readonly erasure: Erasure) {}

  @Get(':receipt_id')
  @RequireScope('signing:read')
  @ApiOperation({
    operationId: 'getErasure',
    summary: 'Show the receipt of an erasure',
    description: 'As it stands now: what waited for a seal is done once the document is sealed.',
  })
  @ApiParam({ name: 'receipt_id', example: RECEIPT_ID_EXAMPLE })
  @ApiOkResponse({ type: ErasureView, description: 'The receipt.' })
  @ApiProblems('not-found', 'dependency-unavailable')
  async handle(@CurrentTenant() tenant: Tenant, @Param('receipt_id') id: string): Promise<ErasureView> {
    const uuid = uuidOf('rcp', id);
    if (uuid === null) throw new NotFound('No such receipt.');
    return ErasureView.of(await this.erasure.settle(tenant.id, uuid));
  }
}
