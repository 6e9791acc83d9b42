import { batchFilter, BatchListQueryOf } from '@constancia/batches';
import { ApiProblems, CurrentTenant, page, RequireScope, type Tenant } from '@constancia/http';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { EnvelopeBatchPage, EnvelopeBatchView } from './envelope-batch-view.ts';
import { EnvelopeBatches } from './envelope-batches.ts';

export class ListEnvelopeBatchesQuery extends BatchListQueryOf('EnvelopeBatchStatus') {}

/** GET /v1/envelope-batches */
@Controller('v1/envelope-batches')
@ApiTags('Envelopes')
export class ListEnvelopeBatches {
  constructor(private readonly batches: EnvelopeBatches) {}

  @Get()
  @RequireScope('signing:read')
  @ApiOperation({ operationId: 'listEnvelopeBatches', summary: 'List envelope batches, newest first' })
  @ApiOkResponse({ type: EnvelopeBatchPage, description: 'A page of batches.' })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: ListEnvelopeBatchesQuery): Promise<EnvelopeBatchPage> {
    const rows = await this.batches.list(tenant.id, batchFilter(query));
    const { data, next_cursor } = page(rows, query.limit, ({ id }) => [id]);
    return { data: data.map((batch) => EnvelopeBatchView.of(batch)), next_cursor };
  }
}
