import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { receiptById } from './erasure-receipts.ts';
import { ErasureView, RECEIPT_ID_EXAMPLE } from './erasure-view.ts';

/** GET /v1/erasures/{receipt_id} */
@Controller('v1/erasures')
@ApiTags('Erasures')
export class GetErasure {
  constructor(private readonly database: Database) {}

  @Get(':receipt_id')
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'getErasure',
    summary: 'Show the receipt of an erasure',
    description: 'As it stands now: once the legal duty is over, nothing is kept any more.',
  })
  @ApiParam({ name: 'receipt_id', example: RECEIPT_ID_EXAMPLE })
  @ApiOkResponse({ type: ErasureView })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('receipt_id') id: string): Promise<ErasureView> {
    const uuid = uuidOf('rcp', id);
    const receipt = uuid && (await this.database.tenant(tenant.id, (tx) => receiptById(tx, tenant.id, uuid)));
    if (!receipt) throw new NotFound('No such receipt.');
    return ErasureView.of(receipt);
  }
}
