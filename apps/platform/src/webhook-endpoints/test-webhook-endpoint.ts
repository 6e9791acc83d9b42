import { EVENT_MODULES } from '@constancia/contracts';
import { emitEvent, eventRecord, hintDeliveries } from '@constancia/events';
import { ApiProblems, CurrentTenant, type Tenant } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { StateConflict } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { requireOwnTenant } from '../tenants/own-tenant.ts';
import { DeliveryView } from '../webhook-deliveries/delivery-view.ts';
import { type Delivery, DELIVERY_COLUMNS } from '../webhook-deliveries/delivery.ts';
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
      const endpoint = await requireEndpoint(tx, tenant.id, module);
      if (!endpoint.enabled) throw new StateConflict('The endpoint is disabled: enable it first.');
      const event = eventRecord({
        tenantId: tenant.id,
        module: endpoint.module,
        type: 'endpoint.test',
        payload: { endpoint_id: typeId('whe', endpoint.id), message: 'It works.' },
      });
      await emitEvent(tx, event);
      const [made] = await tx.query<Delivery>(
        `select ${DELIVERY_COLUMNS} from platform.delivery where tenant_id = $1 and event_id = $2`,
        [tenant.id, event.event_id],
      );
      return made as Delivery;
    });
    hintDeliveries(this.queues, [{ tenant_id: tenant.id, module: delivery.module }]);
    return DeliveryView.of(delivery);
  }
}
