import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { requireEndpointId } from '../webhook-endpoint.ts';
import { EndpointView } from './endpoint-view.ts';

/** GET /v1/webhook-endpoints/{id}. */
@Controller('v1/webhook-endpoints')
@ApiTags('Webhooks')
export class ShowEndpoint {
  constructor(private readonly database: Database) {}

  @Get(':id')
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'showWebhookEndpointById',
    summary: 'Show an endpoint, with its health',
    description: 'Of either kind. Tells the unbroken row of failures, and since when it is disabled.',
  })
  @ApiOkResponse({ type: EndpointView })
  @ApiProblems('not-found')
  async handle(@CurrentTenant() tenant: Tenant, @Param('id') id: string): Promise<EndpointView> {
    const uuid = uuidOf('whe', id);
    return EndpointView.of(await this.database.tenant(tenant.id, (tx) => requireEndpointId(tx, tenant.id, uuid)));
  }
}
