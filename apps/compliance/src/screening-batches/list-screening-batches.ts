import { batchFilter, BatchListQueryOf } from '@constancia/batches';
import { ApiProblems, CurrentTenant, page, RequireScope, type Tenant } from '@constancia/http';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ScreeningBatchPage, ScreeningBatchView } from './screening-batch-view.ts';
import { ScreeningBatches } from './screening-batches.ts';

export class ListScreeningBatchesQuery extends BatchListQueryOf('ScreeningBatchStatus') {}

/** GET /v1/screening-batches */
@Controller('v1/screening-batches')
@ApiTags('Screenings')
export class ListScreeningBatches {
  constructor(private readonly batches: ScreeningBatches) {}

  @Get()
  @RequireScope('compliance:read')
  @ApiOperation({ operationId: 'listScreeningBatches', summary: 'List screening batches, newest first' })
  @ApiOkResponse({ type: ScreeningBatchPage, description: 'A page of batches.' })
  @ApiProblems('validation-error')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Query() query: ListScreeningBatchesQuery,
  ): Promise<ScreeningBatchPage> {
    const rows = await this.batches.list(tenant.id, batchFilter(query));
    const { data, next_cursor } = page(rows, query.limit, ({ id }) => [id]);
    return { data: data.map((batch) => ScreeningBatchView.of(batch)), next_cursor };
  }
}
