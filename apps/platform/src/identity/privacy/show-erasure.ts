import { ApiProblems, CurrentTenant, pathUuid, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ErasureReceiptView } from './erasure-receipt-view.ts';
import { Erasure } from './erasure.ts';

/** GET /v1/erasures/{receipt_id}: what became of an erasure, module by module. */
@Controller('v1/erasures')
@ApiTags('Subjects')
export class ShowErasure {
  constructor(private readonly erasure: Erasure) {}

  @Get(':receipt_id')
  @RequireScope('identity:read')
  @ApiParam({ name: 'receipt_id', example: 'rcp_01jd8m3x5se9t8qzvwpk4c2d6h' })
  @ApiOperation({
    operationId: 'showErasure',
    summary: 'Show a receipt of an erasure',
    description:
      'What each module erased, what it kept, why and until when. A module that is `pending` has not answered yet: it is asked until it does.',
  })
  @ApiOkResponse({ type: ErasureReceiptView })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('receipt_id') id: string): Promise<ErasureReceiptView> {
    const uuid = pathUuid('rcp', id);
    const { receipt, modules } = await this.erasure.receipt(tenant.id, uuid);
    return ErasureReceiptView.of(receipt, modules);
  }
}
