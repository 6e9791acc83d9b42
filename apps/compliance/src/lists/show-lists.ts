import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ListsView, ListView } from './list-view.ts';
import { Lists } from './lists.ts';

/** GET /v1/lists */
@Controller('v1/lists')
@ApiTags('Lists')
export class ShowLists {
  constructor(private readonly lists: Lists) {}

  @Get()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'showLists',
    summary: 'Show the lists that are screened against',
    description:
      'The active version of each, as this very moment’s screenings use it. A list that is not shown was never imported. Two rows of INTERNAL: the operator’s, and the tenant’s own.',
  })
  @ApiOkResponse({ type: ListsView })
  @ApiProblems('dependency-unavailable')
  async handle(@CurrentTenant() tenant: Tenant): Promise<ListsView> {
    const { rows, stale } = await this.lists.current(tenant.id);
    return { data: rows.map((row) => ListView.of(row, stale.includes(row.list))) };
  }
}
