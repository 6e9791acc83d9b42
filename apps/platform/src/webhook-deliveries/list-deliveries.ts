import { EVENT_MODULES, type EventModule, shape } from '@constancia/contracts';
import { endpointIdOf, eventTypesOf } from '@constancia/events';
import {
  ApiOptional,
  ApiProblems,
  beginOf,
  CurrentTenant,
  endOf,
  IsInstant,
  keysOfCursor,
  MayBeStale,
  OrderedPageQuery,
  page,
  type Tenant,
  RequireScope,
} from '@constancia/http';
import { isUuid, uuidFloor, uuidOf } from '@constancia/kernel';
import { Database } from '@constancia/persistence';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { IsIn, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import { DeliveryPage, DeliveryView } from './delivery-view.ts';
import {
  type Delivery,
  DELIVERY_COLUMNS,
  DELIVERY_STATUS,
  DELIVERY_STATUSES,
  type DeliveryStatus,
} from './delivery.ts';

export class DeliveriesQuery extends OrderedPageQuery {
  @ApiOptional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  @ApiOptional()
  @IsIn(EVENT_MODULES)
  module?: EventModule;

  @ApiOptional({ example: 'seal.signature.completed' })
  @IsString()
  @MaxLength(100)
  event_type?: string;

  @ApiOptional({ example: 'whe_5hvztwtdm4hmh8h51n8zq8y5hc' })
  @Matches(new RegExp(shape.id('whe').pattern), { message: 'must be the id of an endpoint' })
  endpoint_id?: string;

  @ApiOptional()
  @IsUUID()
  event_id?: string;

  @ApiOptional({ description: 'Events from this time on: a date-time, or a date (UTC).' })
  @IsInstant()
  from?: string;

  @ApiOptional({ description: 'Events before this time; a date (UTC) includes that day.' })
  @IsInstant()
  to?: string;
}

export const isId = (key: string | number): boolean => typeof key === 'string' && isUuid(key);

/** GET /webhook-deliveries: the newest event first. */
@Controller('webhook-deliveries')
@ApiTags('Webhooks')
export class ListDeliveries {
  constructor(private readonly database: Database) {}

  @Get()
  @MayBeStale()
  @RequireScope('webhooks:read')
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'List webhook deliveries, newest event first',
    description: 'One delivery for each event and endpoint. The filters may be combined.',
  })
  @ApiOkResponse({ type: DeliveryPage })
  @ApiProblems('validation-error')
  async handle(@CurrentTenant() tenant: Tenant, @Query() query: DeliveriesQuery): Promise<DeliveryPage> {
    const [sql, params] = deliveriesSql(tenant.id, query);
    const rows = await this.database.snapshot(tenant.id, (tx) => tx.query<Delivery>(sql, params));
    const { data, next_cursor } = page(rows, query.limit, (row) => [row.event_id, row.id]);
    return { data: data.map((row) => DeliveryView.of(row)), next_cursor };
  }
}

/**
 * event_id is time-ordered, so times are ranges of it: one index serves order, cursor, event and times. For an endpoint, a type or a module
 * the newest of each endpoint and type are read, and the newest of them all taken. Those two are compared together with the id and come
 * first in the order, which one index alone has: with equalities Postgres may read all deliveries of the tenant for the few of a rare type.
 * So may it for the few of a module that is compared in each row; its types say the same.
 */
export function deliveriesSql(tenantId: string, query: DeliveriesQuery): [sql: string, params: unknown[]] {
  const params: unknown[] = [tenantId];
  const parameter = (value: unknown): string => `$${params.push(value)}`;
  const { endpoint_id: endpoint, event_type: type, module, order, limit } = query;
  const where = conditions(tenantId, query, parameter);
  const sorted = `event_id ${order}, id ${order} limit ${parameter(limit + 1)}`;
  const select = (rows: string[], columns = '') =>
    `select ${DELIVERY_COLUMNS} from platform.delivery where ${rows.join(' and ')} order by ${columns}${sorted}`;
  const one: string[] = [];
  if (endpoint !== undefined) one.push(`endpoint_id = ${parameter(uuidOf('whe', endpoint))}`);
  if (type !== undefined) one.push(`event_type = ${parameter(type)}`);
  const cursor = keysOfCursor(query, [isId, isId])?.map(parameter).join(', ');
  const beyond = order === 'asc' ? '>' : '<';
  if (!isByPair(query)) {
    if (module !== undefined) one.push(`module = ${parameter(module)}`);
    if (cursor !== undefined) one.push(`(event_id, id) ${beyond} (${cursor})`);
    return [select([...where, ...one]), params];
  }
  const pairs = one.map((condition) => `p.${condition}`);
  if (module !== undefined) pairs.push(`p.event_type = any(${parameter(eventTypesOf(module))}::text[])`);
  const pair = (operator: string, columns: string, ids: string) =>
    `(endpoint_id, event_type, ${columns}) ${operator} (p.endpoint_id, p.event_type, ${ids})`;
  const atCursor = cursor === undefined ? undefined : pair(beyond, 'event_id, id', cursor);
  const from = () =>
    pair('>=', 'event_id', parameter(query.from === undefined ? LOWEST_ID : eventIdAt(beginOf(query.from))));
  const to = () => pair('<', 'event_id', parameter(query.to === undefined ? HIGHEST_ID : eventIdAt(endOf(query.to))));
  const between = order === 'asc' ? [atCursor ?? from(), to()] : [from(), atCursor ?? to()];
  const each = select([...where, ...between], `endpoint_id ${order}, event_type ${order}, `);
  const sql = `${PAIRS} select d.* from pair p cross join lateral (${each}) d where ${pairs.join(' and ')} order by ${sorted}`;
  return [sql, params];
}

/** Whether the rows are read by endpoint and type: not those of an event, nor of a state that few have. */
function isByPair({
  status,
  event_id: event,
  endpoint_id: endpoint,
  event_type: type,
  module,
}: DeliveriesQuery): boolean {
  return (
    event === undefined && (status === undefined || status === 'delivered') && [endpoint, type, module].some(Boolean)
  );
}

/** What every row meets, beside endpoint, type and cursor. */
function conditions(tenantId: string, query: DeliveriesQuery, parameter: (value: unknown) => string): string[] {
  const where = ['tenant_id = $1'];
  if (query.status !== undefined) where.push(`${DELIVERY_STATUS} = ${parameter(query.status)}`);
  if (query.status === 'failed') where.push('failed_at is not null'); // has an index of its own
  if (query.status === 'pending' || query.status === 'delivering') {
    where.push('next_attempt_at is not null'); // so has what is open, by endpoint: few among millions that are done
    where.push(`endpoint_id = any(${parameter(endpointsOf(tenantId, query.module))}::uuid[] || ${OTHER_ENDPOINTS})`);
  }
  if (query.event_id !== undefined) where.push(`event_id = ${parameter(query.event_id)}`);
  if (query.from !== undefined) where.push(`event_id >= ${parameter(eventIdAt(beginOf(query.from)))}`);
  if (query.to !== undefined) where.push(`event_id < ${parameter(eventIdAt(endOf(query.to)))}`);
  return where;
}

/** The endpoints and types that a tenant has deliveries of: each one look into the index of both. */
const PAIRS = `with recursive pair(endpoint_id, event_type) as (
  (select endpoint_id, event_type from platform.delivery where tenant_id = $1 order by endpoint_id, event_type limit 1)
  union all
  select n.endpoint_id, n.event_type from pair p cross join lateral (
    select d.endpoint_id, d.event_type from platform.delivery d
     where d.tenant_id = $1 and (d.endpoint_id, d.event_type) > (p.endpoint_id, p.event_type)
     order by d.endpoint_id, d.event_type limit 1) n)`;

/** Those that are not the one of a module. */
const OTHER_ENDPOINTS = `array(select w.id from platform.webhook_endpoint w where w.tenant_id = $1 and w.module is null)`;

/** The ids of the modules' own endpoints follow from tenant and module, whether the endpoint is still there or not. */
function endpointsOf(tenantId: string, module: EventModule | undefined): string[] {
  return (module === undefined ? EVENT_MODULES : [module]).map((one) => endpointIdOf(tenantId, one));
}

/** Below and above every event id. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Event ids begin with 1970; so does every period. */
export function eventIdAt(instant: Date | undefined): string {
  return uuidFloor(new Date(Math.max(0, instant?.getTime() ?? 0)));
}
