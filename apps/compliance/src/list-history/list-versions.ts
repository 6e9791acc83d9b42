import { ApiProblems, beforeId, CurrentTenant, page, RequireScope, type Tenant } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ListQuery, ownerIn } from './list-query.ts';
import { ListVersionPage, ListVersionView } from './version-view.ts';
import { listedVersions } from './versions.sql.ts';

/** GET /v1/lists/versions: the imports of a list, newest first. */
@Controller('v1/lists/versions')
@ApiTags('Lists')
export class ListVersions {
  constructor(private readonly database: Database) {}

  @Get()
  @RequireScope('compliance:read')
  @ApiOperation({
    operationId: 'showListVersions',
    summary: 'List the versions of a list, newest first',
    description: 'With how many entries each import added, changed and removed, and its effect on monitored subjects.',
  })
  @ApiOkResponse({ type: ListVersionPage })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: ListQuery): Promise<ListVersionPage> {
    const asked = { list: query.list, owner: ownerIn(query, tenant.id) };
    const at = { beforeId: beforeId(query), limit: query.limit + 1 };
    const rows = await this.database.tenant(tenant.id, (tx) => listedVersions(tx, asked, at));
    const { data, next_cursor } = page(rows, query.limit, ({ id }) => [id]);
    return { data: data.map((row) => ListVersionView.of(row)), next_cursor };
  }
}
