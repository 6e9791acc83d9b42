import { type EventModule, EVENT_TYPES, exampleOf } from '@constancia/contracts';
import { eventRecord, hintEndpoint } from '@constancia/events';
import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { typeId, uuidOf } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { StateConflict, ValidationError } from '@constancia/problem-json';
import { Queues } from '@constancia/queue';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DeliveryView } from '../../webhook-deliveries/delivery-view.ts';
import { type Delivery, DELIVERY_COLUMNS } from '../../webhook-deliveries/delivery.ts';
import { requireEndpointId, type WebhookEndpoint } from '../webhook-endpoint.ts';
import { EndpointTestBody } from './endpoint-body.ts';
import { refusedTypes } from './subscription.ts';

const PLAIN_TEST = 'endpoint.test';

/** POST /v1/webhook-endpoints/{id}/test: sends an event of any type with an example payload, to this endpoint alone. */
@Controller('v1/webhook-endpoints')
@ApiTags('Webhooks')
export class TestEndpoint {
  constructor(
    private readonly database: Database,
    private readonly queues: Queues,
  ) {}

  @Post(':id/test')
  @RequireScope('webhooks:write')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'testWebhookEndpointById',
    summary: 'Send a test event',
    description:
      'Any event type that its modules emit, whatever it subscribes to, with an example payload and `"test": true` beside the ' +
      'published members. Goes to this endpoint alone. Answers the delivery; show it to see what the receiver answered.',
  })
  @ApiBody({ type: EndpointTestBody, required: false })
  @ApiAcceptedResponse({ type: DeliveryView })
  @ApiProblems('validation-error', 'not-found', 'state-conflict')
  async handle(
    @CurrentTenant() tenant: Tenant,
    @Param('id') id: string,
    @Body() body: EndpointTestBody,
  ): Promise<DeliveryView> {
    const delivery = await this.database.tenant(tenant.id, async (tx) =>
      sendTest(tx, tenant.id, await requireEndpointId(tx, tenant.id, uuidOf('whe', id)), body.event_type),
    );
    hintEndpoint(this.queues, delivery.endpoint_id);
    return DeliveryView.of(delivery);
  }
}

/** Emits a test to one endpoint. Throws StateConflict for a disabled one, ValidationError for a type that its modules do not emit. */
export async function sendTest(
  tx: Tx,
  tenantId: string,
  endpoint: WebhookEndpoint,
  type: string = PLAIN_TEST,
): Promise<Delivery> {
  const modules = endpoint.modules ?? [endpoint.module as EventModule];
  const [refused] = refusedTypes([type], modules);
  if (refused) throw new ValidationError([{ ...refused, pointer: '/event_type' }]);
  if (!endpoint.enabled) throw new StateConflict('The endpoint is disabled: enable it first.');
  const emits = (module: EventModule) => (EVENT_TYPES[module] as readonly string[]).includes(type);
  const event = eventRecord({
    tenantId,
    module: modules.find(emits) ?? (modules[0] as EventModule),
    type,
    payload: type === PLAIN_TEST ? { endpoint_id: typeId('whe', endpoint.id), message: 'It works.' } : exampleOf(type),
    test: true,
  });
  const [made] = await tx.query<{ id: string }>('select platform.emit_test($1, $2) as id', [
    JSON.stringify(event),
    endpoint.id,
  ]);
  const [delivery] = await tx.query<Delivery>(
    `select ${DELIVERY_COLUMNS} from platform.delivery where tenant_id = $1 and id = $2`,
    [tenantId, made?.id],
  );
  return delivery as Delivery;
}
