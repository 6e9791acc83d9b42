import { ApiOptional, IsInstant } from '@constancia/http';
import { EVENT_MODULES, type EventModule, shape } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMinSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsInt, Matches, Max, MaxLength, Min,
} from 'class-validator'; // prettier-ignore
import type { ReplayRun } from './replay-run.entity.ts';
import { REPLAY_RUN_STATUSES } from './replay-run.ts';

export const DEFAULT_MAX = 10_000;
const RUN_STATUSES = ['failed', 'delivered', 'pending'];
const EVENT_TYPE = new RegExp(shape.eventType.pattern);

/** Which deliveries a run queues again, or creates. */
export class ReplayRunBody {
  @ApiOptional({
    maxItems: RUN_STATUSES.length,
    type: [String],
    default: ['failed'],
    description: 'Those that are `pending` go at once, whenever their next attempt would be.',
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(RUN_STATUSES, { each: true })
  status?: string[];

  @ApiOptional({
    default: false,
    description:
      'Instead of `status`: events for which an endpoint has no delivery at all, because it was not registered (or not ' +
      'subscribed) when they were emitted.',
  })
  @IsBoolean()
  missing?: boolean;

  @ApiOptional({ description: 'Of this endpoint alone.' })
  @Matches(new RegExp(shape.id('whe').pattern), { message: 'must be the id of an endpoint, such as whe_…' })
  @MaxLength(shape.id('whe').maxLength)
  endpoint_id?: string;

  @ApiOptional()
  @IsIn(EVENT_MODULES)
  module?: EventModule;

  @ApiOptional({ example: 'seal.signature.completed' })
  @Matches(EVENT_TYPE, { message: 'must be an event type, such as seal.signature.completed' })
  @MaxLength(shape.eventType.maxLength)
  event_type?: string;

  @ApiOptional({ description: 'Events from this time on: a date-time, or a date (UTC).' })
  @IsInstant()
  from?: string;

  @ApiOptional({ description: 'Events before this time; a date (UTC) includes that day.' })
  @IsInstant()
  to?: string;

  @ApiOptional({ default: false, description: 'Only count.' })
  @IsBoolean()
  dry_run?: boolean;

  @ApiOptional({ default: DEFAULT_MAX, description: 'Oldest first.' })
  @IsInt()
  @Min(1)
  @Max(100_000)
  max?: number;
}

export class ReplayRunView {
  @ApiProperty({ ...shape.id('run'), example: 'run_01kamx6q7peqh8h51n8zq8y5hc' })
  id: string;

  @ApiProperty({ enum: REPLAY_RUN_STATUSES })
  status: string;

  @ApiProperty()
  dry_run: boolean;

  @ApiProperty({ ...shape.count(), description: 'Deliveries found when the run was ordered, at most `max`.' })
  matched: number;

  @ApiProperty({ ...shape.count(), description: 'Queued again so far.' })
  replayed: number;

  @ApiProperty({
    ...shape.count(),
    description: 'Passed over: their endpoint is gone or disabled, or they changed meanwhile.',
  })
  skipped: number;

  @ApiProperty(shape.count())
  max: number;

  @ApiProperty({
    maxItems: RUN_STATUSES.length,
    type: [String],
    enum: RUN_STATUSES,
    description: 'The status that deliveries were chosen by; empty for missing ones.',
  })
  delivery_status: string[];

  @ApiProperty({ description: 'It makes deliveries that were never there.' })
  missing: boolean;

  @ApiProperty({ ...shape.id('whe'), type: String, nullable: true })
  endpoint_id: string | null;

  @ApiProperty({ ...shape.word, type: String, nullable: true })
  module: string | null;

  @ApiProperty({ ...shape.eventType, type: String, nullable: true })
  event_type: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  from: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  to: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finished_at: string | null;

  static of(run: ReplayRun): ReplayRunView {
    return {
      id: typeId('run', run.id),
      status: run.status,
      dry_run: run.dry_run,
      matched: run.matched,
      replayed: run.replayed,
      skipped: run.skipped,
      max: run.max_deliveries,
      delivery_status: run.statuses,
      missing: run.missing,
      endpoint_id: run.endpoint_id && typeId('whe', run.endpoint_id),
      module: run.module,
      event_type: run.event_type,
      from: run.from_at?.toISOString() ?? null,
      to: run.to_at?.toISOString() ?? null,
      created_at: run.created_at.toISOString(),
      finished_at: run.finished_at?.toISOString() ?? null,
    };
  }
}
