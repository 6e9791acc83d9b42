import { ApiOptional } from '@constancia/http';
import { EVENT_MODULES, shape } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { IsArray, IsBoolean, IsString, Length, MaxLength, ArrayMaxSize, ArrayUnique } from 'class-validator';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

export const MAX_URL_LENGTH = 2_048;

/** What PUT takes: the whole endpoint; what is left out gets its default. */
export class WebhookEndpointBody {
  @ApiProperty({
    format: 'uri',
    description: 'https, to a public address. A sandbox may allow http to loopback.',
    example: 'https://hooks.example.com/constancia',
  })
  @IsString()
  @Length(1, MAX_URL_LENGTH)
  url: string;

  @ApiOptional({
    default: true,
    description: 'Deliveries wait for a disabled endpoint and are sent once it is enabled.',
  })
  @IsBoolean()
  enabled?: boolean;

  @ApiOptional({
    type: 'array',
    items: { type: 'string', ...shape.eventType },
    default: [],
    description: 'The event types to send; empty: all of the module.',
    example: ['seal.signature.completed'],
  })
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  event_types?: string[];

  @ApiOptional({ type: String, nullable: true })
  @IsString()
  @MaxLength(200)
  description?: string | null;
}

/** The first endpoint of a module. */
export class WebhookEndpointView {
  @ApiProperty({ ...shape.id('whe'), example: 'whe_5hvztwtdm4hmh8h51n8zq8y5hc' })
  id: string;

  @ApiProperty({ enum: EVENT_MODULES })
  module: string;

  @ApiProperty({ format: 'uri' })
  url: string;

  @ApiProperty()
  enabled: boolean;

  @ApiProperty({
    maxItems: 50,
    type: 'array',
    items: { type: 'string', ...shape.eventType },
    description: 'Empty: all of the module.',
  })
  event_types: string[];

  @ApiProperty({ ...shape.text(200), type: String, nullable: true })
  description: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    enum: ['gone', 'failing', null],
    description: 'Why the service disabled it: the receiver answered 410, or five days of nothing but failures.',
  })
  disabled_reason: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  disabled_at: string | null;

  @ApiProperty({ ...shape.count(), description: 'Failed attempts since the last success.' })
  consecutive_failures: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'First failure since the last success.',
  })
  failing_since: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The receiver asked for a pause until then.',
  })
  paused_until: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time' })
  updated_at: string;

  static of(endpoint: WebhookEndpoint): WebhookEndpointView {
    return {
      id: typeId('whe', endpoint.id),
      module: endpoint.module ?? '', // of those that have one (v1/endpoint-view.ts)
      url: endpoint.url,
      enabled: endpoint.enabled,
      event_types: endpoint.event_types,
      description: endpoint.description,
      disabled_reason: endpoint.disabled_reason,
      disabled_at: endpoint.disabled_at?.toISOString() ?? null,
      consecutive_failures: endpoint.consecutive_failures,
      failing_since: endpoint.first_failure_at?.toISOString() ?? null,
      paused_until: endpoint.paused_until?.toISOString() ?? null,
      created_at: endpoint.created_at.toISOString(),
      updated_at: endpoint.updated_at.toISOString(),
    };
  }
}

export class WebhookEndpointList {
  @ApiProperty({ maxItems: 100, type: [WebhookEndpointView] })
  data: WebhookEndpointView[];

  @ApiProperty({
    ...shape.cursor,
    type: String,
    nullable: true,
    description: 'Always null: there is one endpoint per module.',
  })
  next_cursor: null;
}
