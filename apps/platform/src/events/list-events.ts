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
  MayBeStale,
  OrderedPageQuery,
  page,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { Database } from '@constancia/persistence';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { eventIdAt, HIGHEST_ID, LOWEST_ID } from '../webhook-deliveries/list-deliveries.ts';
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
  @MayBeStale()
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
    const rows = await this.database.snapshot(tenant.id, (tx) => tx.query<LoggedEvent>(sql, params));
    const { data, next_cursor } = page(rows, query.limit, (row) => [row.event_id]);
    return { data: data.map((row) => EventView.of(row)), next_cursor };
  }
}

/**
 * event_id is time-ordered, so times are ranges of it, and each filter has an index in its order: by reference, by type, or by
 * the tenant alone. A module is the types it has: a page of each, and the first of them all. A type is compared together with the id and
 * comes first in the order, which the index by type alone has: with an equality Postgres may read all events of the tenant for the few of a
 * rare type. So may it for the few of a module that is compared in each row; its types say the same.
 */
export function eventsSql(tenantId: string, query: EventsQuery): [sql: string, params: unknown[]] {
  const params: unknown[] = [];
  const parameter = (value: unknown): string => `$${params.push(value)}`;
  const { module, event_type: type, external_ref: reference, limit, order } = query;
  const { above, first, end } = idsOf(query);
  const [lower, upper] = [parameter(first), parameter(end)];
  const where = [`tenant_id = ${parameter(tenantId)}`, `event_id ${above} ${lower}`, `event_id < ${upper}`];
  const types = type !== undefined ? [type] : module !== undefined ? eventTypesOf(module) : null;
  const sorted = `event_id ${order} limit ${parameter(limit + 1)}`;
  if (module !== undefined && (type !== undefined || reference !== undefined))
    where.push(`module = ${parameter(module)}`);
  if (types === null || reference !== undefined) {
    if (reference !== undefined) where.push(`external_ref = ${parameter(reference)}`);
    if (type !== undefined) where.push(`event_type = ${parameter(type)}`);
    return [`select ${EVENT_COLUMNS} from platform.event where ${where.join(' and ')} order by ${sorted}`, params];
  }
  where.push(
    `(event_type, event_id) ${above} (t.type, ${lower}::uuid)`,
    `(event_type, event_id) < (t.type, ${upper}::uuid)`,
  );
  const each = `select ${EVENT_COLUMNS} from platform.event where ${where.join(' and ')} order by event_type ${order}, ${sorted}`;
  const sql = `select e.* from unnest(${parameter(types)}::text[]) as t(type) cross join lateral (${each}) e order by ${sorted}`;
  return [sql, params];
}

/** Between which ids the page lies: from or above the first, below the end. */
function idsOf(query: EventsQuery): { above: '>' | '>='; first: string; end: string } {
  const cursor = beforeId(query);
  const first = query.from === undefined ? LOWEST_ID : eventIdAt(beginOf(query.from));
  const end = query.to === undefined ? HIGHEST_ID : eventIdAt(endOf(query.to));
  if (cursor === undefined) return { above: '>=', first, end };
  if (query.order === 'desc') return { above: '>=', first, end: cursor < end ? cursor : end };
  return cursor < first ? { above: '>=', first, end } : { above: '>', first: cursor, end };
}
