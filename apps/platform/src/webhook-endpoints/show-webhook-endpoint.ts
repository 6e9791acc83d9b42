import { EVENT_MODULES } from '@constancia/contracts';
import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { requireOwnTenant } from '../tenants/own-tenant.ts';
import { WebhookEndpointView } from './webhook-endpoint-view.ts';
import { requireEndpoint } from './webhook-endpoint.ts';

/** GET /tenants/{id}/webhook-endpoints/{module}. */
@Controller('tenants')
@ApiTags('Webhooks')
export class ShowWebhookEndpoint {
  constructor(private readonly database: Database) {}

  @Get(':id/webhook-endpoints/:module')
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'showWebhookEndpoint',
    summary: 'Show the endpoint of a module, with its health',
    description: 'Tells the unbroken row of failures, and since when it is disabled.',
  })
  @ApiParam({ name: 'module', enum: EVENT_MODULES })
  @ApiOkResponse({ type: WebhookEndpointView })
  @ApiProblems('not-found')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Param('module') module: string,
  ): Promise<WebhookEndpointView> {
    requireOwnTenant(tenant, id);
    return WebhookEndpointView.of(
      await this.database.tenant(tenant.id, (tx) => requireEndpoint(tx, tenant.id, module)),
    );
  }
}
