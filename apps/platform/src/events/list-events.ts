import { EVENT_MODULES, type EventModule } from '@constancia/contracts';
import { eventTypesOf } from '@constancia/events';
import {
  ApiOptional,
  ApiProblems,
  beforeId,
  beginOf,
  CurrentTenant,
  endOf,
  IsInstant,
  OrderedPageQuery,
  page,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { eventIdAt } from '../webhook-deliveries/list-deliveries.ts';
import { EVENT_COLUMNS, EventPage, EventView, type LoggedEvent } from './event-view.ts';

export class EventsQuery extends OrderedPageQuery {
  @ApiOptional()
  @IsIn(EVENT_MODULES)
  module?: EventModule;

  @ApiOptional({ example: 'seal.signature.completed' })
  @IsString()
  @MaxLength(100)
  event_type?: string;

  @ApiOptional({ description: 'The `external_ref` of the payload.' })
  @IsString()
  @MaxLength(200)
  external_ref?: string;

  @ApiOptional({ description: 'Events from this time on: a date-time, or a date (UTC).' })
  @IsInstant()
  from?: string;

  @ApiOptional({ description: 'Events before this time; a date (UTC) includes that day.' })
  @IsInstant()
  to?: string;
}

/** GET /v1/events: the log of what was emitted, whether or not anybody was to get it. */
@Controller('v1/events')
@ApiTags('Webhooks')
export class ListEvents {
  constructor(private readonly database: Database) {}

  @Get()
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'listEvents',
    summary: 'List events, newest first',
    description:
      'Every event of the tenant, whether or not an endpoint was registered for it. Kept for 30 days unless the deployment ' +
      'says otherwise. The filters may be combined.',
  })
  @ApiOkResponse({ type: EventPage })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: EventsQuery): Promise<EventPage> {
    const [sql, params] = eventsSql(tenant.id, query);
    const rows = await this.database.tenant(tenant.id, (tx) => tx.query<LoggedEvent>(sql, params));
    const { data, next_cursor } = page(rows, query.limit, (row) => [row.event_id]);
    return { data: data.map((row) => EventView.of(row)), next_cursor };
  }
}

/**
 * event_id is time-ordered, so times are ranges of it, and each filter has an index in its order: by reference, by type, or by
 * the tenant alone. A module is the types it has: a page of each, and the first of them all. A type is a range of one and comes first in the
 * order, which the index by type alone has: with an equality Postgres may read all events of the tenant for the few of a rare type.
 */
export function eventsSql(tenantId: string, query: EventsQuery): [sql: string, params: unknown[]] {
  const params: unknown[] = [tenantId];
  const where = ['tenant_id = $1'];
  const add = (condition: (name: string) => string, value: unknown) => {
    params.push(value);
    where.push(condition(`$${params.length}`));
  };
  const after = query.order === 'asc' ? '>' : '<';
  const cursor = beforeId(query);
  if (cursor !== undefined) add((name) => `event_id ${after} ${name}`, cursor);
  if (query.from !== undefined) add((name) => `event_id >= ${name}`, eventIdAt(beginOf(query.from)));
  if (query.to !== undefined) add((name) => `event_id < ${name}`, eventIdAt(endOf(query.to)));
  if (query.module !== undefined) add((name) => `module = ${name}`, query.module);
  if (query.external_ref !== undefined) add((name) => `external_ref = ${name}`, query.external_ref);
  const { event_type: type, limit, order } = query;
  const types = type !== undefined ? [type] : query.module !== undefined ? eventTypesOf(query.module) : null;
  const byType = types !== null && query.external_ref === undefined;
  if (!byType && type !== undefined) add((name) => `event_type = ${name}`, type);
  const end = `limit $${params.push(limit + 1)}`;
  const from = `from platform.event where ${where.join(' and ')}`;
  if (!byType) return [`select ${EVENT_COLUMNS} ${from} order by event_id ${order} ${end}`, params];
  const each = `select ${EVENT_COLUMNS} ${from} and event_type between t.type and t.type order by event_type ${order}, event_id ${order} ${end}`;
  const sql = `select e.* from unnest($${params.push(types)}::text[]) as t(type) cross join lateral (${each}) e order by event_id ${order} ${end}`;
  return [sql, params];
}
