import { PageOf } from '@constancia/http';
import { EVENT_MODULES, shape } from '@constancia/contracts';
import { ApiProperty } from '@nestjs/swagger';
import type { EventRow } from './event.entity.ts';
import { DeliveryView } from '../webhook-deliveries/delivery-view.ts';

/** A row of platform.event, as far as the API shows it. */
export type LoggedEvent = Pick<
  EventRow,
  'event_id' | 'module' | 'event_type' | 'occurred_at' | 'external_ref' | 'body'
> & { test: boolean };

export const EVENT_COLUMNS = `event_id, module, event_type, occurred_at, external_ref, body,
  only_endpoint_id is not null or event_type = 'endpoint.test' as test`;

export class EventView {
  @ApiProperty({ format: 'uuid', description: 'As receivers see it.' })
  event_id: string;

  @ApiProperty({ enum: EVENT_MODULES })
  module: string;

  @ApiProperty({ ...shape.eventType, example: 'seal.signature.completed' })
  event_type: string;

  @ApiProperty({ format: 'date-time' })
  occurred_at: string;

  @ApiProperty({
    ...shape.text(200),
    type: String,
    nullable: true,
    description: 'Of the payload, where it has one.',
  })
  external_ref: string | null;

  @ApiProperty({ description: 'It was emitted by a test of an endpoint.' })
  test: boolean;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'As it is sent: see the event catalogue.' })
  payload: Record<string, unknown>;

  static of({ body, occurred_at, ...event }: LoggedEvent): EventView {
    const { payload } = JSON.parse(body) as { payload?: Record<string, unknown> };
    return { ...event, occurred_at: occurred_at.toISOString(), payload: payload ?? {} };
  }
}

export class EventPage extends PageOf(EventView, {}) {}

export class EventWithDeliveriesView extends EventView {
  @ApiProperty({
    maxItems: 100,
    type: [DeliveryView],
    description: 'One for each endpoint that was registered for it; empty when there was none.',
  })
  deliveries: DeliveryView[];
}
