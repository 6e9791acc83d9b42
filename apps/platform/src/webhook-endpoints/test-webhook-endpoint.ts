import { EVENT_MODULES } from '@constancia/contracts';
import { hintEndpoint } from '@constancia/events';
import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Queues } from '@constancia/queue';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { requireOwnTenant } from '../tenants/own-tenant.ts';
import { DeliveryView } from '../webhook-deliveries/delivery-view.ts';
import { sendTest } from './v1/test-endpoint.ts';
import { requireEndpoint } from './webhook-endpoint.ts';

/** POST /tenants/{id}/webhook-endpoints/{module}/test: sends the event endpoint.test, whatever the endpoint subscribes to. */
@Controller('tenants')
@ApiTags('Webhooks')
export class TestWebhookEndpoint {
  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  @Post(':id/webhook-endpoints/:module/test')
  @RequireScope('webhooks:write')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'testWebhookEndpoint',
    summary: 'Send a test event',
    description: 'Answers the delivery; show it to see what the receiver answered.',
  })
  @ApiParam({ name: 'module', enum: EVENT_MODULES })
  @ApiAcceptedResponse({ type: DeliveryView })
  @ApiProblems('not-found', 'state-conflict')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Param('module') module: string,
  ): Promise<DeliveryView> {
    requireOwnTenant(tenant, id);
    const delivery = await this.database.tenant(tenant.id, async (tx) => {
      return sendTest(tx, tenant.id, await requireEndpoint(tx, tenant.id, module));
    });
    hintEndpoint(this.queues, delivery.endpoint_id);
    return DeliveryView.of(delivery);
  }
}
