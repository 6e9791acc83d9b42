import {
  ApiProblems,
  beforeId,
  CurrentTenant,
  OrderedPageQuery,
  page,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ENDPOINT_COLUMNS, type WebhookEndpoint } from '../webhook-endpoint.ts';
import { EndpointPage, EndpointView } from './endpoint-view.ts';

/** GET /v1/webhook-endpoints: those of both kinds. */
@Controller('v1/webhook-endpoints')
@ApiTags('Webhooks')
export class ListEndpoints {
  constructor(private readonly database: Database) {}

  @Get()
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'listAllWebhookEndpoints',
    summary: 'List all endpoints',
    description: 'Those that POST created and the one of each module, in the order of their ids.',
  })
  @ApiOkResponse({ type: EndpointPage })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: OrderedPageQuery): Promise<EndpointPage> {
    const rows = await this.database.tenant(tenant.id, (tx) => listEndpoints(tx, tenant.id, query));
    const { data, next_cursor } = page(rows, query.limit, ({ id }) => [id]);
    return { data: data.map((row) => EndpointView.of(row)), next_cursor };
  }
}

/** One more than the page has, when there are more. */
export function listEndpoints(tx: Tx, tenantId: string, query: OrderedPageQuery): Promise<WebhookEndpoint[]> {
  return tx.query<WebhookEndpoint>(
    `select ${ENDPOINT_COLUMNS} from platform.webhook_endpoint
      where tenant_id = $1 and ($2::uuid is null or id ${query.order === 'asc' ? '>' : '<'} $2)
      order by id ${query.order} limit $3`,
    [tenantId, beforeId(query) ?? null, query.limit + 1],
  );
}
