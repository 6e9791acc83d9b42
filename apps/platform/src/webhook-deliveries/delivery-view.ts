import { PageOf } from '@constancia/http';
import { EVENT_MODULES, shape } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { type Delivery, DELIVERY_STATUSES } from './delivery.ts';
import type { DeliveryAttemptRow } from './delivery-attempt.entity.ts';

export class DeliveryView {
  @ApiProperty({ ...shape.id('dlv'), example: 'dlv_01kamx6q7peqh8h51n8zq8y5hc' })
  id: string;

  @ApiProperty({ format: 'uuid', description: 'The same on every attempt and replay: receivers de-duplicate by it.' })
  event_id: string;

  @ApiProperty({ ...shape.id('whe'), example: 'whe_5hvztwtdm4hmh8h51n8zq8y5hc' })
  endpoint_id: string;

  @ApiProperty({ enum: EVENT_MODULES, description: 'Module of the endpoint.' })
  module: string;

  @ApiProperty({ ...shape.eventType, example: 'seal.signature.completed' })
  event_type: string;

  @ApiProperty({ enum: DELIVERY_STATUSES })
  status: string;

  @ApiProperty({
    type: String,
    enum: ['endpoint', null],
    nullable: true,
    description: 'What a pending delivery waits for: it is sent once its endpoint is enabled and not paused.',
  })
  waiting_for: 'endpoint' | null;

  @ApiProperty({ ...shape.count(), description: 'Attempts so far, those before a replay included.' })
  attempt_count: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Not before then; null unless pending, and while its endpoint is disabled.',
  })
  next_attempt_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_attempt_at: string | null;

  @ApiProperty({ ...shape.count(999, 100), nullable: true, description: 'What the receiver answered last.' })
  last_http_status: number | null;

  @ApiProperty({
    ...shape.word,
    type: String,
    nullable: true,
    description: 'Why the last attempt failed, or why there is none: a stable word.',
    example: 'http_status',
  })
  last_error: string | null;

  @ApiProperty({
    ...shape.id('run'),
    type: String,
    nullable: true,
    description: 'The replay run that queued it again, if one did.',
  })
  replay_run_id: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  delivered_at: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  static of(delivery: Delivery): DeliveryView {
    return {
      id: typeId('dlv', delivery.id),
      event_id: delivery.event_id,
      endpoint_id: typeId('whe', delivery.endpoint_id),
      module: delivery.module,
      event_type: delivery.event_type,
      status: delivery.status,
      waiting_for: delivery.waiting_for,
      attempt_count: delivery.attempts,
      next_attempt_at: delivery.next_attempt_at?.toISOString() ?? null,
      last_attempt_at: delivery.last_attempt_at?.toISOString() ?? null,
      last_http_status: delivery.last_http_status,
      last_error: delivery.last_error,
      replay_run_id: delivery.replay_run_id && typeId('run', delivery.replay_run_id),
      delivered_at: delivery.delivered_at?.toISOString() ?? null,
      created_at: delivery.created_at.toISOString(),
    };
  }
}

export class DeliveryPage extends PageOf(DeliveryView, {}) {}

export class AttemptErrorView {
  @ApiProperty({ ...shape.word, description: 'A stable word.', example: 'timeout' })
  code: string;

  @ApiProperty({ ...shape.text(2000), example: 'No complete answer within 10 s.' })
  detail: string;
}

/** A row of platform.delivery_attempt. */
export type DeliveryAttempt = Omit<DeliveryAttemptRow, 'delivery_id' | 'tenant_id'>;

export class DeliveryAttemptView {
  @ApiProperty({ ...shape.id('att'), example: 'att_01kamx6q7peqh8h51n8zq8y5hc' })
  id: string;

  @ApiProperty(shape.ordinal)
  number: number;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty({ ...shape.count(), description: 'Milliseconds, connecting included.' })
  duration_ms: number;

  @ApiProperty({ ...shape.count(), nullable: true, description: 'Milliseconds until the answer began.' })
  first_byte_ms: number | null;

  @ApiProperty({ format: 'uri', description: 'Where it went.' })
  url: string;

  @ApiProperty({ ...shape.count(999, 100), nullable: true })
  http_status: number | null;

  @ApiProperty({ type: AttemptErrorView, nullable: true })
  error: AttemptErrorView | null;

  @ApiProperty({
    ...shape.text(16384),
    type: String,
    nullable: true,
    description: 'The beginning of the answer, at most 16 KiB.',
  })
  response_excerpt: string | null;

  static of(attempt: DeliveryAttempt): DeliveryAttemptView {
    return {
      id: typeId('att', attempt.id),
      number: attempt.number,
      at: attempt.at.toISOString(),
      duration_ms: attempt.duration_ms,
      first_byte_ms: attempt.first_byte_ms,
      url: attempt.url,
      http_status: attempt.http_status,
      error: attempt.error_code === null ? null : { code: attempt.error_code, detail: attempt.error_detail ?? '' },
      response_excerpt: attempt.response_excerpt,
    };
  }
}

export class DeliveryWithAttemptsView extends DeliveryView {
  @ApiProperty({ maxItems: 200, type: [DeliveryAttemptView], description: 'The oldest first.' })
  attempts: DeliveryAttemptView[];
}
