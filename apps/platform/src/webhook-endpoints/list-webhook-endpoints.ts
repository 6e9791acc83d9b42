import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { requireOwnTenant } from '../tenants/own-tenant.ts';
import { WebhookEndpointList, WebhookEndpointView } from './webhook-endpoint-view.ts';
import { ENDPOINT_COLUMNS, type WebhookEndpoint } from './webhook-endpoint.ts';

/** GET /tenants/{id}/webhook-endpoints: one per module at most. */
@Controller('tenants')
@ApiTags('Webhooks')
export class ListWebhookEndpoints {
  constructor(private readonly database: Database) {}

  @Get(':id/webhook-endpoints')
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'listWebhookEndpoints',
    summary: 'List the endpoints, by module',
    description:
      'The first endpoint of each module; a module without one is left out. GET /v1/webhook-endpoints lists all.',
  })
  @ApiOkResponse({ type: WebhookEndpointList })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<WebhookEndpointList> {
    requireOwnTenant(tenant, id);
    const rows = await this.database.tenant(tenant.id, (tx) =>
      tx.query<WebhookEndpoint>(
        `select ${ENDPOINT_COLUMNS} from platform.webhook_endpoint where tenant_id = $1 and module is not null order by module`,
        [tenant.id],
      ),
    );
    return { data: rows.map((row) => WebhookEndpointView.of(row)), next_cursor: null };
  }
}
