import { ApiProblems, CurrentTenant, type Tenant, RequireScope } from '@constancia/http';
import { isUuid } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DeliveryView } from '../webhook-deliveries/delivery-view.ts';
import { type Delivery, DELIVERY_COLUMNS } from '../webhook-deliveries/delivery.ts';
import { EVENT_COLUMNS, EventView, EventWithDeliveriesView, type LoggedEvent } from './event-view.ts';

/** More than a tenant has endpoints. */
const DELIVERIES = 100;

/** GET /v1/events/{event_id}. */
@Controller('v1/events')
@ApiTags('Webhooks')
export class ShowEvent {
  constructor(private readonly database: Database) {}

  @Get(':event_id')
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'showEvent',
    summary: 'Show an event with its deliveries',
    description: 'The event as it is sent, and where it stands at each endpoint that was registered for it.',
  })
  @ApiOkResponse({ type: EventWithDeliveriesView })
  @ApiProblems('not-found')
  handle(@CurrentTenant() tenant: Tenant, @Param('event_id') eventId: string): Promise<EventWithDeliveriesView> {
    if (!isUuid(eventId)) throw new NotFound();
    return this.database.tenant(tenant.id, async (tx) => {
      const [event] = await tx.query<LoggedEvent>(
        `select ${EVENT_COLUMNS} from platform.event where tenant_id = $1 and event_id = $2`,
        [tenant.id, eventId],
      );
      if (!event) throw new NotFound();
      const deliveries = await tx.query<Delivery>(
        `select ${DELIVERY_COLUMNS} from platform.delivery where tenant_id = $1 and event_id = $2 order by id limit $3`,
        [tenant.id, eventId, DELIVERIES],
      );
      return { ...EventView.of(event), deliveries: deliveries.map((delivery) => DeliveryView.of(delivery)) };
    });
  }
}
